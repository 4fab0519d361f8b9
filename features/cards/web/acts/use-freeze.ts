import { useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { askNotice } from '#platform/web/state/notice.ts'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import { cardsApi } from '../cards-api.ts'
import { refreshCards, updateCachedCard } from '../use-cards.ts'

const TITLE_TEXT = { freeze: 'freezeTitle', thaw: 'thawTitle' } as const
const ABOUT_TEXT = { freeze: 'freezeAbout', thaw: 'thawAbout' } as const
const DONE_TEXT = { freeze: 'freezeDone', thaw: 'thawDone' } as const
const FAILED_TEXT = { freeze: 'freezeFailed', thaw: 'thawFailed' } as const

export interface Freeze {
  readonly busy: boolean
  /** Freezes a card, or unfreezes one that its user froze; confirms either first. */
  readonly press: () => Promise<void>
}

export function useFreeze(card: CardRow): Freeze {
  const t = useTexts(cardTexts)
  const [busy, setBusy] = useState(false)
  const press = async () => {
    if (busy || (card.state !== 'active' && card.frozenBy !== 'user')) return
    const freezing = card.state === 'active'
    const word = freezing ? 'freeze' : 'thaw'
    if (!(await confirm({ title: t(TITLE_TEXT[word], { last4: card.last4 }), body: t(ABOUT_TEXT[word]), action: t(word) }))) return
    setBusy(true)
    try {
      updateCachedCard(await (freezing ? cardsApi.frozen : cardsApi.unFrozen)({ id: card.id }))
      toast.success(t(DONE_TEXT[word]))
    } catch (error) {
      // the reason that blocks unfreezing needs reading, and often an action elsewhere
      if (isApiError(error)) await askNotice({ kind: 'warning', title: t(FAILED_TEXT[word]), body: error.message, action: t('gotIt') })
      else throw error
    } finally {
      setBusy(false)
      refreshCards()
    }
  }
  return { busy, press }
}
