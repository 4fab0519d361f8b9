import { Pause, Play, X } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayTime } from '#platform/web/time.tsx'
import type { WithdrawalListRow } from '../../contract-money.console.ts'
import { CommandNotice } from '../kit/command/command-body.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { useOperatorName } from '../kit/operators.ts'
import { moneyTexts } from '../orders/texts.ts'

type HoldFields = Pick<WithdrawalListRow, 'withdrawalNo' | 'hold' | 'state'>

/** Notice of a hold: the operator, its start and end, and the reason. */
export function HoldNotice({ hold }: Pick<HoldFields, 'hold'>) {
  const t = useTexts(moneyTexts)
  const nameOf = useOperatorName()
  if (!hold) return null
  const said = { name: nameOf(hold.by), at: displayTime(hold.at) }
  return (
    <CommandNotice tone="warning" title={hold.until ? t('heldUntil', { ...said, until: displayTime(hold.until) }) : t('heldOpen', said)}>
      {hold.why}
    </CommandNotice>
  )
}

/** Puts a withdrawal on hold that was not paid out yet. */
export function HoldButton({ withdrawalNo }: Pick<HoldFields, 'withdrawalNo'>) {
  const t = useTexts(moneyTexts)
  return (
    <CommandButton
      name="withdrawal.hold"
      word={t('hold')}
      input={{ withdrawalNo }}
      about={
        <>
          <span className="num">{withdrawalNo}</span>
          <span className="block">{t('holdNote')}</span>
        </>
      }
      reasonCode="fraud"
      icon={<Pause size={14} strokeWidth={1.75} aria-hidden="true" />}
    />
  )
}

/** Commands for a withdrawal on hold: release it, or reject it while it awaits a decision. */
export function HoldFoot({ withdrawalNo, state }: HoldFields) {
  const t = useTexts(moneyTexts)
  const about = <span className="num">{withdrawalNo}</span>
  return (
    <>
      {state === 'approving' ? (
        <CommandButton
          name="withdrawal.reject"
          word={t('reject')}
          input={{ withdrawalNo }}
          about={about}
          reasonCode="fraud"
          danger
          warning={t('rejectNote')}
          icon={<X size={14} strokeWidth={1.75} aria-hidden="true" />}
        />
      ) : null}
      <CommandButton
        name="withdrawal.release"
        word={t('release')}
        variant="primary"
        input={{ withdrawalNo }}
        about={about}
        icon={<Play size={14} strokeWidth={1.75} aria-hidden="true" />}
      />
    </>
  )
}
