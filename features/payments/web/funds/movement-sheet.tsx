import { countCommonPlaces } from '#platform/shared/show-money.ts'
import { subtractNano, parseUsd, formatUsd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { openSupport } from '#platform/web/state/support.ts'
import { Time } from '#platform/web/time.tsx'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Sheet } from '#ui/layers/sheet.tsx'
import { MoneyText } from '#ui/money-text.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import type { FundsRow } from '#features/wallet/contract-funds.ts'
import { fundsTexts } from '../../texts-funds.ts'
import { MovementLinks } from './movement-links.tsx'

interface MovementSheetProps {
  readonly row: FundsRow | undefined
  readonly onClose: () => void
}

/** One movement as a receipt: balance before, amount, balance after; days of calls are listed by key. */
export function MovementSheet({ row, onClose }: MovementSheetProps) {
  const t = useTexts(fundsTexts)
  return (
    <Sheet
      open={row !== undefined}
      onClose={onClose}
      title={row?.title ?? ''}
      footer={
        row ? (
          <Button variant="secondary" onClick={() => openSupport()}>
            {t('funds_support')}
          </Button>
        ) : undefined
      }
    >
      {row ? <Body row={row} /> : null}
    </Sheet>
  )
}

function Body({ row }: { readonly row: FundsRow }) {
  const t = useTexts(fundsTexts)
  const before = formatUsd(subtractNano(parseUsd(row.balance), parseUsd(row.amount)))
  const align = countCommonPlaces([before, row.amount, row.balance])
  const number = row.orderNo ?? row.withdrawalNo
  return (
    <>
      <Receipt look="inline" label={row.title}>
        <ReceiptRow label={t('funds_sheet_before')} value={<MoneyText value={before} align={align} />} />
        <ReceiptRow label={row.title} value={<MoneyText signed value={row.amount} align={align} />} {...(row.about ? { note: row.about } : {})} />
        <ReceiptRule />
        <ReceiptRow strong label={t('funds_sheet_after')} value={<MoneyText value={row.balance} />} />
      </Receipt>
      <dl className="mt-5 grid gap-2 text-14">
        <Fact name={t('funds_sheet_when')}>
          <Time at={row.at} show="second" />
        </Fact>
        <Fact name={t('funds_sheet_route')}>{t('funds_route', { from: row.from, to: row.to })}</Fact>
        {number ? (
          <Fact name={t('funds_sheet_order')}>
            <span className="num">{number}</span>
            <CopyButton iconOnly text={number} label={t('funds_sheet_copy')} className="-my-2 ml-1" />
          </Fact>
        ) : null}
      </dl>
      <MovementLinks row={row} className="mt-3 !justify-start" />
      {row.days && row.days.length > 1 ? <Days row={row} /> : null}
    </>
  )
}

function Days({ row }: { readonly row: FundsRow }) {
  const t = useTexts(fundsTexts)
  const days = row.days ?? []
  const align = countCommonPlaces(days.map((one) => one.amount))
  return (
    <section aria-label={t('funds_sheet_days')} className="mt-6">
      <h3 className="mb-1 text-14 font-semibold">{t('funds_sheet_days')}</h3>
      {days.toReversed().map((one) => (
        <ReceiptRow
          key={`${one.day} ${one.keyId}`}
          label={t('funds_sheet_day', { day: one.day.slice(5), key: one.keyName || t('funds_unnamed_key') })}
          value={<MoneyText signed value={one.amount} align={align} />}
        />
      ))}
    </section>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: React.ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4">
      <dt className="text-fg-3">{name}</dt>
      <dd className="min-w-0 text-right [overflow-wrap:anywhere]">{children}</dd>
    </div>
  )
}
