import type { useTexts } from '#platform/web/i18n.ts'
import type { CardRow } from '../../contract.ts'
import type { cardTexts } from '../../texts.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

export type CardKey = TextKeyOf<typeof cardTexts>
export type TranslateCard = ReturnType<typeof useTexts<CardKey>>

const KIND: Readonly<Record<CardRow['type'], CardKey>> = { standard: 'kind_standard', pro: 'kind_pro' }
const STATE: Readonly<Record<CardRow['state'], CardKey>> = {
  requested: 'state_requested',
  opening: 'state_opening',
  failed: 'state_failed',
  active: 'state_active',
  frozen: 'state_frozen',
  closing: 'state_closing',
  closed: 'state_closed',
}

/** Short name that distinguishes a user's cards: 标准 4829. */
export function formatCardName(t: TranslateCard, { type, last4, state }: Pick<CardRow, 'type' | 'last4' | 'state'>): string {
  return `${t(KIND[type])} ${last4 || t(STATE[state])}`
}

export const isWorkingCard = ({ state }: CardRow): boolean => state === 'active' || state === 'frozen'
export const isOpeningCard = ({ state }: CardRow): boolean => state === 'requested' || state === 'opening'
