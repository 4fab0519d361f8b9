export const REWARD_STATES = ['pending', 'held', 'refused', 'available', 'paid', 'clawed_back'] as const
export type RewardState = (typeof REWARD_STATES)[number]

export const REWARD_KINDS = ['direct', 'second', 'cashback'] as const
export type RewardKind = (typeof REWARD_KINDS)[number]

/** Filters of the list; `other`: refused or clawed back. */
export const REWARD_LIST_FILTERS = ['all', 'pending', 'available', 'other'] as const
export type RewardListFilter = (typeof REWARD_LIST_FILTERS)[number]

export const STATES_BY_FILTER: Readonly<Record<RewardListFilter, readonly RewardState[]>> = {
  all: REWARD_STATES,
  pending: ['pending', 'held'],
  available: ['available', 'paid'],
  other: ['refused', 'clawed_back'],
}

/** Reasons for a reward's state; the page has a text for each. */
export const REWARD_REASONS = ['', 'review', 'signals', 'inviter_cap', 'programme_cap', 'refund', 'operator', 'closed'] as const
export type RewardReason = (typeof REWARD_REASONS)[number]

/** Letters of generated codes: none looks like another or like a digit. */
export const INVITE_CODE_LETTERS = 'ACDEFGHJKMNPQRTUVWXY'
export const INVITE_CODE_LENGTH = 8

/** A code as people type it: spaces gone, capitals. */
export const normalizeInviteCode = (text: string): string => text.normalize('NFKC').replaceAll(/\s/g, '').toUpperCase()
