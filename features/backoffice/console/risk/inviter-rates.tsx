import { useState } from 'react'
import { toShanghaiDay } from '#platform/shared/time.ts'
import type { ReplyOf } from '#platform/shared/contract.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { displayTime } from '#platform/web/time.tsx'
import type { reviewContract } from '#features/invitations/contract.console.ts'
import { Badge } from '#ui/badge.tsx'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/fields/text-field.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { CommandButton } from '../kit/command/command-button.tsx'
import { openCommand } from '../kit/command/command-store.ts'
import { useOperatorName } from '../kit/operators.ts'
import { useHasPermission } from '../kit/use-me.ts'
import { serviceDeskTexts } from '../services/texts.ts'

const RATE_TEXT = { ended: 'rate_ended', holds: 'rate_holds', planned: 'rate_planned', over: 'rate_over' } as const

interface RatesProps {
  readonly userId: string
  readonly about: string
  readonly rates: ReplyOf<(typeof reviewContract)['review']>['rates']
}
const TONES = { planned: 'info', holds: 'success', over: 'neutral', ended: 'neutral' } as const

/** Rates negotiated with an inviter: current, planned and past. */
export function InviterRates({ userId, about, rates }: RatesProps) {
  const t = useTexts(serviceDeskTexts)
  const may = useHasPermission()
  const nameOf = useOperatorName()
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <h3 className="mt-4 mb-1 text-13 font-semibold">{t('rates')}</h3>
      {rates.length ? null : <p className="text-13 text-fg-3">{t('noRates')}</p>}
      <ul className="divide-y divide-line">
        {rates.map(({ id, reward, from, until, state, reason, by }) => (
          <li key={id} className="py-2 text-13">
            <div className="flex flex-wrap items-center gap-x-3">
              <span className="num font-semibold">{t('rateEach', { reward: displayUsd(reward) })}</span>
              <span className="num text-fg-2">{t('rateSpan', { from: displayTime(from, 'day'), until })}</span>
              <Badge tone={TONES[state]}>{t(RATE_TEXT[state])}</Badge>
              {state === 'holds' || state === 'planned' ? (
                <span className="-mr-3 ml-auto">
                  <CommandButton name="reward.rate-end" input={{ user: userId, rateId: id }} about={about} word={t('rateEnd')} variant="ghost" />
                </span>
              ) : null}
            </div>
            <p className="text-12 text-fg-3 [overflow-wrap:anywhere]">{t('rateBy', { name: nameOf(by), reason })}</p>
          </li>
        ))}
      </ul>
      {may('rewards.decide') ? (
        <button type="button" className="link mt-1 text-13" onClick={() => setAdding(true)}>
          {t('rateAdd')}
        </button>
      ) : null}
      {isAdding ? <RateForm userId={userId} about={about} onClose={() => setAdding(false)} /> : null}
    </>
  )
}

const REWARD = /^\d{1,6}(\.\d{1,2})?$/

/** Form of a rate: amount, first and last day; the command's preview shows the effect. */
function RateForm({ userId, about, onClose }: Omit<RatesProps, 'rates'> & { readonly onClose: () => void }) {
  const t = useTexts(serviceDeskTexts)
  const [reward, setReward] = useState('')
  const [from, setFrom] = useState(() => toShanghaiDay(Date.now()))
  const [until, setUntil] = useState('')
  const isWhole = REWARD.test(reward.trim()) && from !== '' && until >= from
  const ask = () => {
    openCommand({ name: 'reward.rate', input: { user: userId, reward: reward.trim(), from, until }, about })
    onClose()
  }
  return (
    <Dialog
      open
      size="sm"
      title={t('rates')}
      description={about}
      onClose={onClose}
      footer={
        <Button size="lg" disabled={!isWhole} onClick={ask}>
          {t('rateNext')}
        </Button>
      }
    >
      <div className="grid grid-cols-1 gap-3 pb-2">
        <TextField
          label={t('rateReward')}
          hint={t('rateHint')}
          value={reward}
          maxLength={9}
          inputMode="decimal"
          className="num"
          suffix={<span className="pr-2 text-12 text-fg-3">USD</span>}
          autoComplete="off"
          onChange={(event) => setReward(event.target.value)}
        />
        <TextField label={t('rateFrom')} type="date" value={from} onChange={(event) => setFrom(event.target.value)} />
        <TextField label={t('rateUntil')} type="date" value={until} onChange={(event) => setUntil(event.target.value)} />
      </div>
    </Dialog>
  )
}
