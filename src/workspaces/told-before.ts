/** A workspace is told of the end of a certificate when so many days are left; the fewest first. */
export const toldBefore = [1, 7, 14, 30];
