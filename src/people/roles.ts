/** The roles of a member, from the one that may do everything. */
export const roles = ['owner', 'manager', 'staff', 'viewer'] as const;

export type Role = (typeof roles)[number];
