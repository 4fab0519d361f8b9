/** Parts of an account that can be frozen alone: payouts and API calls. */
export const FREEZE_PARTS = ['money_out', 'calls'] as const
export type FreezePart = (typeof FREEZE_PARTS)[number]

export const FREEZE_SCOPES = ['all', ...FREEZE_PARTS] as const
export type FreezeScope = (typeof FREEZE_SCOPES)[number]

export const toFreezeParts = (scopes: readonly FreezeScope[]): FreezePart[] => FREEZE_PARTS.filter((part) => scopes.includes(part))
