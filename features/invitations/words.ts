export const REWARD_STATES = ['pending', 'held', 'refused', 'available', 'paid', 'clawed_back'] as const
export type RewardState = (typeof REWARD_STATES)[number]

export const REWARD_KINDS = ['direct', 'second', 'cashback'] as const
export type RewardKind = (typeof REWARD_KINDS)[number]

/** Of the list: `other` is what was refused or taken back. */
export const LIST_FILTERS = ['all', 'pending', 'available', 'other'] as const
export type ListFilter = (typeof LIST_FILTERS)[number]

export const STATES_OF: Readonly<Record<ListFilter, readonly RewardState[]>> = {
  all: REWARD_STATES,
  pending: ['pending', 'held'],
  available: ['available', 'paid'],
  other: ['refused', 'clawed_back'],
}

/** Why a reward is where it is; the page has a text for each. */
export const REWARD_REASONS = ['', 'review', 'signals', 'inviter_cap', 'programme_cap', 'refund', 'operator', 'closed'] as const
export type RewardReason = (typeof REWARD_REASONS)[number]

/** Letters of codes that the platform makes: none looks like another or like a digit. */
export const CODE_LETTERS = 'ACDEFGHJKMNPQRTUVWXY'
export const CODE_LENGTH = 8

/** A code as people type it: spaces gone, capitals. */
export const plainCode = (text: string): string => text.normalize('NFKC').replaceAll(/\s/g, '').toUpperCase()
