export const STAFF_LEVEL_TEXT = {
  second: 'level_second',
  free: 'level_free',
  stepUp: 'level_stepUp',
  reason: 'level_reason',
  two: 'level_two',
  forbidden: 'level_forbidden',
} as const
