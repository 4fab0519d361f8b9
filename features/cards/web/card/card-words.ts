import type { useTexts } from '#platform/web/i18n.ts'
import type { CardRow } from '../../contract.ts'
import type { cardTexts } from '../../texts.ts'

export type Say = ReturnType<typeof useTexts<keyof (typeof cardTexts)['zh']>>

/** 标准 4829: what tells one card from another where there are several. */
export function cardName(t: Say, { type, last4, state }: Pick<CardRow, 'type' | 'last4' | 'state'>): string {
  return `${t(`kind_${type}`)} ${last4 || t(`state_${state}`)}`
}

export const isWorking = ({ state }: CardRow): boolean => state === 'active' || state === 'frozen'
export const isOpening = ({ state }: CardRow): boolean => state === 'requested' || state === 'opening'
