/** Settings by which one address is held to so many tries; in a test everybody comes from one. */
export const LIMITS_OF_AN_ADDRESS = [
  'account.codesPerIpHour',
  'account.codesPerBlockHour',
  'account.codesPerTargetHour',
  'account.codesPerTargetDay',
  'account.loginsPerIp',
  'account.googlePerIpHour',
  'risk.challengesPerMinute',
] as const
export const MANY = 10_000
