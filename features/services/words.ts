/**
 * `draft`: priced, not paid. `waiting`: ordered, not delivered. `using`: delivered for a time. Money is charged when a task leaves
 * `waiting`.
 */
export const PHASES = ['draft', 'waiting', 'using', 'done', 'failed'] as const
export type TaskPhase = (typeof PHASES)[number]

/** `held` in the balance until it is `charged` or `released`; `none`: free, or not paid yet. */
export const TASK_MONEY = ['none', 'held', 'charged', 'released'] as const
export type TaskMoney = (typeof TASK_MONEY)[number]

/** States common to all services; each service defines the others. */
export const DRAFT = 'draft'
export const LAPSED = 'lapsed'
/** Cause of a draft's end: not paid in time, or given up by its user. */
export const NOT_PAID = 'not_paid'
