import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { onPaid } from '#platform/web/state/paid.ts'
import { storeValue, readStored } from '#platform/web/state/storage.ts'
import { Button, getButtonClass } from '#ui/button.tsx'
import { PickField } from '#ui/fields/pick-field.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import type { NumberStat } from '../contract.ts'
import { numberTexts } from '../texts.ts'
import type { NumberCountry } from '../words.ts'
import { numbersApi, refreshNumbers, cacheNumber } from './use-numbers.ts'
import { NUMBERS_SERVICE_TEXT, NUMBERS_COUNTRY_TEXT } from '../state-texts.ts'
import { displayTime } from '#platform/web/time.tsx'
import { confirm } from '#ui/layers/confirm.ts'
import { toast } from '#ui/layers/toast.ts'
import { Receipt, ReceiptRow } from '#ui/receipt.tsx'
import { queryClient } from '#platform/web/calls/query.tsx'

/** Sources of the remaining uses; the unused rest of a pack can be refunded. */
function NumberUses({ stat }: { readonly stat: NumberStat }) {
  const t = useTexts(numberTexts)
  const { run, isRunning } = useSubmit()
  if (!stat.hasCard && !stat.packs.length) return null
  const giveBack = async (pack: NumberStat['packs'][number]) => {
    const worth = displayUsd(pack.worth)
    const asked = { title: t('returnTitle', { count: String(pack.left) }), body: t('returnBody', { worth }), action: t('returnDo', { worth }) }
    if (!(await confirm(asked))) return
    await run(async () => {
      const { returned } = await numbersApi.overseaMobileReturnPack({ id: pack.id })
      toast.success(t('wasReturned', { amount: displayUsd(returned) }))
      refreshNumbers()
      void queryClient.invalidateQueries({ queryKey: ['wallet'] })
    }).catch((error: unknown) => toast.error((error as Error).message))
  }
  return (
    <Receipt look="flat" label={t('uses')}>
      <ReceiptRow label={t('leftCard')} value={t('usesOf', { left: String(stat.included.left), allowed: String(stat.included.allowed) })} />
      {stat.packs.map((pack) => (
        <ReceiptRow
          key={pack.id}
          label={t('leftPack')}
          value={t('usesOf', { left: String(pack.left), allowed: String(pack.total) })}
          note={
            <span className="flex flex-wrap justify-between gap-x-3">
              {pack.untilTime ? t('packUntil', { day: displayTime(pack.untilTime, 'day') }) : ''}
              {pack.left > 0 ? (
                <button type="button" className="link mobile:min-h-11" disabled={isRunning} onClick={() => void giveBack(pack)}>
                  {t('returnPack')}
                </button>
              ) : null}
            </span>
          }
        />
      ))}
      <ReceiptRow strong label={t('uses')} value={stat.remaining ? t('left', { count: String(stat.remaining) }) : t('leftNone')} />
    </Receipt>
  )
}

const SMS_ORDER = 4
const NAME = 'numberService'

interface ChooseNumberProps {
  readonly stat: NumberStat
  readonly onApplied: () => void
}

/** Choice of service and country, the remaining uses, and the order button. */
export function ChooseNumber({ stat, onApplied }: ChooseNumberProps) {
  const t = useTexts(numberTexts)
  const { run, isRunning, failure } = useSubmit()
  const [type, setType] = useState(() => Number(readStored(NAME)) || stat.services[0]?.type)
  const chosen = stat.services.find((one) => one.type === type) ?? stat.services[0]
  const [wanted, setCountry] = useState<NumberCountry>()
  const country = wanted && chosen?.countries.includes(wanted) ? wanted : chosen?.countries[0]
  useEffect(() => onPaid(({ orderType }) => (orderType === SMS_ORDER ? refreshNumbers() : undefined)), [])
  if (!chosen || !country) return <AlertBox kind="warning" title={t('paused')} />
  const apply = () =>
    void run(async () => {
      storeValue(NAME, String(chosen.type))
      cacheNumber(await numbersApi.overseaMobileApply({ type: chosen.type, country }))
      refreshNumbers()
      onApplied()
    }).catch(() => undefined)
  const buy = () => void run(async () => openDialog('recharge', { ask: await numbersApi.overseaMobilePack({}) })).catch(() => undefined)
  return (
    <div className="grid gap-6">
      {stat.paused === null ? null : (
        <AlertBox kind="warning" title={t('paused')}>
          {stat.paused || t('pausedAbout')}
        </AlertBox>
      )}
      <fieldset>
        <legend className="mb-2 text-14 font-semibold">{t('choose')}</legend>
        <div className="grid grid-cols-2 gap-2" role="radiogroup" aria-label={t('choose')}>
          {stat.services.map((one) => (
            <label
              key={one.type}
              className="flex min-h-14 cursor-pointer items-center justify-between gap-2 rounded-card border border-line bg-surface px-4 py-2 hover:border-control has-checked:border-brand has-checked:ring-1 has-checked:ring-brand has-focus-visible:outline-2 has-focus-visible:outline-brand"
            >
              <input type="radio" name="service" className="sr-only" checked={one.type === chosen.type} onChange={() => setType(one.type)} />
              <span className="min-w-0 font-medium">{t(NUMBERS_SERVICE_TEXT[one.service])}</span>
              <span className="num text-12 text-fg-3">{one.measured.percent === null ? '' : `${one.measured.percent}%`}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <PickField
        label={t('chooseCountry')}
        options={chosen.countries.map((value) => ({ value, label: t(NUMBERS_COUNTRY_TEXT[value]) }))}
        value={country}
        onChange={setCountry}
      />
      <NumberUses stat={stat} />
      {failure ? (
        <p role="alert" className="text-14 text-danger">
          {failure.message}
        </p>
      ) : null}
      <Act stat={stat} busy={isRunning} onApply={apply} onBuy={buy} />
      <ul className="grid list-disc gap-1 pl-5 text-13 text-fg-2">
        <li>{t('rules1', { minutes: String(stat.minutes) })}</li>
        <li>{t('rules2')}</li>
        <li>{t('rules3')}</li>
      </ul>
    </div>
  )
}

function Act({ stat, busy, onApply, onBuy }: { readonly stat: NumberStat; readonly busy: boolean; readonly onApply: () => void; readonly onBuy: () => void }) {
  const t = useTexts(numberTexts)
  if (!stat.hasCard) {
    return (
      <AlertBox
        kind="info"
        title={t('needCard')}
        action={
          <Link to="/open-account" className={getButtonClass('primary')}>
            {t('toOpenCard')}
          </Link>
        }
      >
        {t('needCardAbout')}
      </AlertBox>
    )
  }
  const pack = { count: String(stat.pack.count), price: displayUsd(stat.pack.price) }
  if (stat.remaining > 0) {
    return (
      <Button size="lg" block loading={busy} onClick={onApply} aria-disabled={stat.paused !== null}>
        {t(busy ? 'getting' : 'get')}
      </Button>
    )
  }
  return (
    <div>
      <Button size="lg" block loading={busy} onClick={onBuy} aria-disabled={stat.paused !== null}>
        {t('buyPack', pack)}
      </Button>
      <p className="mt-2 text-13 text-fg-2">{t('buyAbout', { each: displayUsd(stat.pack.each) })}</p>
    </div>
  )
}
