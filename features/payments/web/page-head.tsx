import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { pageTexts } from '../texts-pages.ts'

const SECTIONS = [
  { id: 'funds', to: '/api', search: { tab: 'rechargeRecord' } },
  { id: 'orders', to: '/orders' },
  { id: 'withdrawals', to: '/withdrawals' },
  { id: 'papers', to: '/receipts' },
] as const

/** Title and one action, above the tabs of the customer's money: the ledger, orders, withdrawals, receipts and invoices. */
interface PageHeadProps {
  readonly here: (typeof SECTIONS)[number]['id']
  readonly action?: ReactNode
  /** Id of the title, if it labels the surrounding section. */
  readonly titleId?: string
}

export function PaymentsPageHead({ here, action, titleId }: PageHeadProps) {
  const t = useTexts(pageTexts)
  return (
    <div className="mb-5">
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-3">
        <h1 {...(titleId ? { id: titleId } : {})} className="text-20 font-bold">
          {t(here === 'funds' ? 'funds_title' : here)}
        </h1>
        {action}
      </div>
      <nav aria-label={t('sections')} className="no-bar mt-2 flex gap-6 overflow-x-auto border-b border-line mobile:gap-5">
        {SECTIONS.map(({ id, to, ...more }) => (
          <Link
            key={id}
            to={to}
            {...(more as object)}
            aria-current={id === here ? 'page' : undefined}
            className="-mb-px shrink-0 border-b-2 border-transparent py-2.5 text-14 font-medium text-fg-2 no-underline -outline-offset-2 hover:text-fg aria-[current=page]:border-brand aria-[current=page]:text-fg mobile:py-3"
          >
            {t(id)}
          </Link>
        ))}
      </nav>
    </div>
  )
}

/** A fact with its label, in the list beside a receipt. */
export function LabeledFact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex flex-wrap items-baseline justify-between gap-x-4 py-1.5 text-14">
      <dt className="text-fg-3">{name}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  )
}
