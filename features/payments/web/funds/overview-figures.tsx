import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { Figure } from '#platform/shared/figures.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { openDialog } from '#platform/web/state/dialogs.ts'
import { Button } from '#ui/button.tsx'
import { MoneyText } from '#ui/money-text.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { FIGURES } from '#features/wallet/contract-figures.ts'
import type { fundsContract } from '#features/wallet/contract-funds.ts'
import { fundsTexts } from '../../texts-funds.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

type Summary = ReplyOf<typeof fundsContract.fundsSummary>

interface FundsFiguresProps {
  readonly summary: Summary | undefined
  /** Time that the balance lasts, in words. */
  readonly runway: ReactNode
}

/**
 * Balance = added − spent − moved out, exact, with the signs on the dividers; an active chargeback adds a term. Each figure links to its
 * rows.
 */
export function FundsFigures({ summary, runway }: FundsFiguresProps) {
  const t = useTexts(fundsTexts)
  const owes = summary?.balance.startsWith('-') ?? false
  const isHeld = summary !== undefined && summary.held !== '0'
  const hasChargeback = summary !== undefined && summary.chargeback !== '0'
  const note = owes ? <span className="text-danger">{t('sum_owed')}</span> : isHeld ? t('sum_held', { held: displayUsd(summary.held) }) : runway
  return (
    <section aria-label={t('sum_title')} className={`card sum-grid grid ${hasChargeback ? 'sum-grid-5' : ''}`} aria-busy={summary === undefined}>
      <div className="flex flex-wrap items-end justify-between gap-3 p-5 mobile:p-4">
        <Cell label={t(isHeld ? 'sum_balance' : 'sum_available')} value={summary?.balance} figure={FIGURES['overview.balance']} note={note} to={{}} />
        <div className="flex gap-2 mobile:w-full mobile:[&>*]:flex-1">
          <Button variant="secondary" onClick={() => openDialog('withdraw')}>
            {t('funds_withdraw')}
          </Button>
          <Button onClick={() => openDialog('recharge')}>{t('funds_recharge')}</Button>
        </div>
      </div>
      <Term sign="=">
        <Cell
          label={t('sum_added')}
          value={summary?.added}
          figure={FIGURES['overview.added']}
          to={{ kind: 'topup' }}
          note={summary && describeAdded(t, summary)}
        />
      </Term>
      <Term sign="−">
        <Cell
          label={t('sum_spent')}
          value={summary?.spent}
          figure={FIGURES['overview.spent']}
          to={{ kind: 'spend' }}
          note={
            summary ? (
              <>
                {t('sum_month')} <MoneyText value={summary.monthSpent} figure={FIGURES['overview.month']} />
                {t('sum_refunds')}
              </>
            ) : undefined
          }
        />
      </Term>
      <Term sign="−">
        <Cell
          label={t('sum_out')}
          value={summary?.out}
          figure={FIGURES['overview.out']}
          to={{ kind: summary && summary.card === '0' ? 'withdraw' : 'card' }}
          note={summary ? t('sum_out_parts', { card: summary.card, withdraw: summary.withdraw }) : undefined}
        />
      </Term>
      {hasChargeback ? (
        <Term sign="−">
          <Cell label={t('sum_chargeback')} value={summary.chargeback} figure={FIGURES['overview.chargeback']} to={{ kind: 'refund' }} note="" />
        </Term>
      ) : null}
    </section>
  )
}

type TranslateFunds = ReturnType<typeof useTexts<TextKeyOf<typeof fundsTexts>>>

function describeAdded(t: TranslateFunds, { topup, reward, refunded }: Summary): string {
  const parts = [
    t('sum_topup', { topup }),
    ...(reward === '0' ? [] : [t('sum_reward', { reward })]),
    ...(refunded === '0' ? [] : [t('sum_refunded', { refunded })]),
  ]
  return parts.join(t('sum_comma'))
}

function Term({ sign, children }: { readonly sign: '=' | '−'; readonly children: ReactNode }) {
  return (
    <div className="sum-term relative p-5 mobile:p-4">
      <span aria-hidden="true" className="sum-sign num">
        {sign}
      </span>
      {children}
    </div>
  )
}

interface CellProps {
  readonly label: string
  readonly value: string | undefined
  readonly note: ReactNode
  readonly figure: Figure
  readonly to: Readonly<Record<string, string>>
}

function Cell({ label, value, note, figure, to }: CellProps) {
  return (
    <div className="min-w-0">
      <Link to="/api" search={{ tab: 'rechargeRecord', ...to }} className="group text-inherit no-underline">
        <p className="text-13 text-fg-2 group-hover:underline">{label}</p>
        <p className="num mt-0.5 min-h-9 text-28 font-semibold [overflow-wrap:anywhere] mobile:min-h-7 mobile:text-20">
          {value === undefined ? <Skeleton className="h-7 w-32 max-w-full" /> : <MoneyText value={value} figure={figure} className="!whitespace-normal" />}
        </p>
      </Link>
      <p className="mt-0.5 min-h-5 text-13 text-fg-3">{note}</p>
    </div>
  )
}
