import { useEffect, useRef, useState } from 'react'
import { isApiError } from '#platform/web/calls/api-error.ts'
import { useSubmit } from '#platform/web/calls/use-submit.ts'
import { useTexts, useLang } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { requestPayPassword } from '#platform/web/state/request-pay-password.ts'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { askNotice } from '#platform/web/state/notice.ts'
import { parseUsd } from '#platform/shared/money.ts'
import { Button } from '#ui/button.tsx'
import { ErrorState } from '#ui/error-state.tsx'
import { AlertBox } from '#ui/layers/alert-box.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import type { CardRow } from '../../contract.ts'
import type { RechargeResult } from '../../contract-money.ts'
import { cardTexts } from '../../texts.ts'
import type { CardDialogProps } from '../card-dialog-props.ts'
import { cardsApi } from '../cards-api.ts'
import { BALANCE_CHANNEL_NUMBER, RECHARGE_ORDER } from '../order-words.ts'
import { refreshCards, updateCachedCard, useRechargeBounds } from '../use-cards.ts'
import { CardAmountField } from './amount-field.tsx'
import { parseCardAmount, computeLoadedAmount, findCardAmountProblem, computeUsableForCard } from './figures.ts'
import { MoneyDone } from './money-done.tsx'
import { useQuery } from '@tanstack/react-query'
import { createApi } from '#platform/web/calls/api.ts'
import { maintainContract } from '#features/payments/contract-maintain.ts'
import { walletContract } from '#features/wallet/contract.ts'
import { Landmark, Wallet } from 'lucide-react'

type RechargeSource = 'balance' | 'channel'

interface SourceCardsProps {
  readonly source: RechargeSource
  readonly onChoose: (source: RechargeSource) => void
  /** Part of the balance usable for a card; undefined while loading. */
  readonly usable: string | undefined
  readonly given: string
  readonly enough: boolean
  readonly disabled: boolean
}

/** Choice of the source: the balance, or a payment. */
function SourceCards({ source, onChoose, usable, given, enough, disabled }: SourceCardsProps) {
  const t = useTexts(cardTexts)
  const hasGiven = parseUsd(given) > 0n
  const rows = [
    {
      value: 'balance',
      Icon: Wallet,
      name: t('fromBalance'),
      note: usable === undefined ? ' ' : t(enough ? 'fromBalanceHas' : 'fromBalanceShort', { amount: displayUsd(usable) }),
      fee: t('noFee'),
    },
    { value: 'channel', Icon: Landmark, name: t('fromChannel'), note: t('fromChannelNote'), fee: '' },
  ] as const
  return (
    <fieldset disabled={disabled}>
      <legend className="mb-1.5 text-14 font-medium">{t('source')}</legend>
      <div className="grid gap-2 desktop:grid-cols-2">
        {rows.map(({ value, Icon, name, note, fee }) => (
          <label
            key={value}
            className={`flex min-h-14 cursor-pointer items-center gap-3 rounded-control border px-3 py-2 has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 has-[:focus-visible]:outline-brand ${source === value ? 'border-brand bg-brand-soft' : 'border-control hover:border-fg-3'}`}
          >
            <input type="radio" name="card-source" className="sr-only" checked={source === value} onChange={() => onChoose(value)} />
            <Icon size={20} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-brand-text" />
            <span className="min-w-0 flex-1">
              <span className="flex items-baseline justify-between gap-2 text-14 leading-5 font-medium">
                {name}
                {fee ? <span className="text-12 font-normal text-fg-3">{fee}</span> : null}
              </span>
              <span className={`block text-12 ${value === 'balance' && !enough ? 'text-warning' : 'text-fg-3'}`}>{note}</span>
            </span>
          </label>
        ))}
      </div>
      {hasGiven ? <p className="mt-1.5 text-12 text-fg-3">{t('givenStays', { amount: displayUsd(given) })}</p> : null}
    </fieldset>
  )
}

const wallet = createApi({ balanceInfo: walletContract.balanceInfo })
const payments = createApi(maintainContract)

/** Shared with the balance in the bar. */
function useWalletBalance() {
  return useQuery({ queryKey: ['wallet', 'balance'], queryFn: ({ signal }) => wallet.balanceInfo({}, { signal }) })
}

/** Maintenance state; shares its cache with the payment dialog. */
function useCardMaintenance() {
  const lang = useLang()
  return useQuery({ queryKey: ['payments', 'maintain', lang], queryFn: ({ signal }) => payments.maintain({}, { signal }), staleTime: 60_000 })
}

/** Errors shown with the server's own text because it must be read: 1017, 2211, 2213, and those that require another step first. */
const SERVER_TEXT_ERRORS: readonly string[] = [
  'CARD_RECHARGE_NOT_NOW',
  'CARD_RECHARGE_REFUSED',
  'CARD_RECHARGE_LIMIT',
  'CARD_RECHARGE_TOO_SMALL',
  'CARD_EXPIRED',
  'CARD_MUST_CHANGE',
  'MEMBER_EXPIRED',
]

/** Dialog to recharge a card: from the balance at once, or over a channel, in the payment dialog. Closing it discards the input. */
export function CardRechargeDialog({ card, open, onClose }: CardDialogProps) {
  const t = useTexts(cardTexts)
  const [done, setDone] = useState<RechargeResult>()
  const turn = useRef(0)
  const was = useRef(false)
  if (open && !was.current) turn.current++
  was.current = open
  const close = () => {
    onClose()
    setDone(undefined)
  }
  return (
    <Dialog open={open} onClose={close} title={t(card.needsFirstRecharge && !done ? 'firstTitle' : 'rechargeTo', { last4: card.last4 })}>
      {done ? (
        <MoneyDone
          title={t(done.state === 'done' ? 'rechargeDone' : 'rechargeSent')}
          about={t(done.state === 'done' ? 'rechargeDoneAbout' : 'rechargeSentAbout')}
          stamp={done.state === 'done'}
          onClose={close}
        >
          <RechargeLines amount={done.amount} fee={done.activationFee} />
        </MoneyDone>
      ) : (
        <Loaded key={turn.current} card={card} onDone={setDone} onClose={close} />
      )}
    </Dialog>
  )
}

interface FormProps {
  readonly card: CardRow
  readonly onDone: (done: RechargeResult) => void
  readonly onClose: () => void
}

function Loaded(props: FormProps) {
  const bounds = useRechargeBounds(props.card.id)
  if (bounds.isError) return <ErrorState error={bounds.error} onRetry={() => void bounds.refetch()} />
  if (!bounds.data) return <Skeleton className="h-72" />
  return <Form {...props} bounds={bounds.data} />
}

function Form({ card, bounds, onDone, onClose }: FormProps & { readonly bounds: NonNullable<ReturnType<typeof useRechargeBounds>['data']> }) {
  const t = useTexts(cardTexts)
  const balance = useWalletBalance().data
  const usable = balance && computeUsableForCard(balance)
  const [typed, setTyped] = useState(() => bounds.presets.find((preset) => !findCardAmountProblem(preset, bounds)) ?? bounds.min)
  const [chosen, setSource] = useState<RechargeSource>()
  const { run, isRunning, failure } = useSubmit()
  const maintenance = useCardMaintenance().data
  const isClosed = maintenance?.closed.includes('recharge') === true || maintenance?.rechargePause?.isNow === true
  const amount = parseCardAmount(typed)
  const isRight = amount !== undefined && !findCardAmountProblem(amount, bounds)
  const enough = usable === undefined || amount === undefined || parseUsd(usable) >= parseUsd(amount)
  const source = chosen ?? (enough ? 'balance' : 'channel')
  const fromBalance = async () => {
    const payPassword = await requestPayPassword()
    if (payPassword === undefined || amount === undefined) return
    const reply = await cardsApi.cardRecharge({ cardId: card.id, amount, channelType: BALANCE_CHANNEL_NUMBER, payPassword })
    if (!('rechargeId' in reply)) return
    updateCachedCard(reply.card)
    refreshCards({ money: true })
    if (reply.state === 'failed') await askNotice({ kind: 'warning', title: t('rechargeFailed'), body: t('rechargeFailedAbout'), action: t('gotIt') })
    else onDone(reply)
  }
  const submit = async () => {
    if (!isRight || isClosed) return
    if (source === 'channel') {
      onClose()
      return openDialog('recharge', { ask: { orderType: RECHARGE_ORDER, amount, cardId: card.id } })
    }
    const error = await run(fromBalance)
    if (error?.errorName && SERVER_TEXT_ERRORS.includes(error.errorName))
      await askNotice({ kind: 'warning', title: t('rechargeRefused'), body: error.message, action: t('gotIt') })
  }
  const form = useRef<HTMLFormElement>(null)
  // the dialog mounts before its fields, so focus is on its close button
  useEffect(() => {
    const inDialog = form.current?.closest('[role="dialog"]')?.contains(document.activeElement)
    if (inDialog && matchMedia('(pointer: fine)').matches) form.current?.querySelector<HTMLElement>('input')?.focus()
  }, [])
  const told = isApiError(failure) && failure.errorName !== undefined && SERVER_TEXT_ERRORS.includes(failure.errorName)
  return (
    <form
      ref={form}
      className="grid gap-5"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {isClosed ? (
        <AlertBox kind="warning" title={t('maintenance')}>
          {maintenance?.message}
        </AlertBox>
      ) : null}
      <CardAmountField label={t('amount')} value={typed} onChange={setTyped} bounds={bounds} presets={bounds.presets} disabled={isRunning} />
      <SourceCards source={source} onChoose={setSource} usable={usable} given={balance?.granted ?? '0'} enough={enough} disabled={isRunning} />
      <Receipt look="flat" label={t('slip')}>
        <RechargeLines amount={amount ?? '0'} fee={bounds.activationFee} />
      </Receipt>
      <div role="alert" className="empty:-mt-5">
        {failure && !told ? <AlertBox kind="error">{isApiError(failure) ? failure.message : t('notDone')}</AlertBox> : null}
      </div>
      <div>
        <Button type="submit" size="lg" block loading={isRunning} disabled={!isRight || isClosed || (source === 'balance' && !enough)}>
          {source === 'balance' ? t('rechargeFor', { amount: displayUsd(amount ?? '0') }) : t('toMethods')}
        </Button>
        <p className="mt-2 text-center text-12 text-fg-3">{t(source === 'balance' ? 'rechargeAbout' : 'rechargeAboutChannel')}</p>
      </div>
    </form>
  )
}

function RechargeLines({ amount, fee }: { readonly amount: string; readonly fee: string }) {
  const t = useTexts(cardTexts)
  const hasFee = parseUsd(fee) > 0n
  return (
    <>
      <ReceiptRow label={t('lineRecharge')} value={displayUsd(amount)} />
      {hasFee ? <ReceiptRow label={t('lineActivation')} value={`−${displayUsd(fee)}`} note={t('lineActivationNote')} /> : null}
      <ReceiptRule />
      <ReceiptRow strong label={t('lineOnCard')} value={displayUsd(computeLoadedAmount(amount, fee))} />
    </>
  )
}
