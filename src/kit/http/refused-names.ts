/** Property names that reach an object's prototype: no JSON body may hold them. */
export const refusedNames: readonly string[] = ['__proto__', 'prototype', 'constructor'];
