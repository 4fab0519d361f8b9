import { ChevronRight, CreditCard, FileText, ReceiptText, ScrollText, Undo2, Wallet } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { getButtonClass } from '#ui/button.tsx'
import { noticeTexts } from '../../texts-notice.ts'
import { pageTexts } from '../../texts-pages.ts'

const SERVICES_TEXT = { bills: 'services_bills', papers: 'services_papers', orders: 'services_orders', withdrawals: 'services_withdrawals' } as const

const SERVICE_LINKS = [
  ['/orders', 'orders', ReceiptText],
  ['/withdrawals', 'withdrawals', Undo2],
  ['/receipts', 'papers', FileText],
  ['/bill', 'bills', ScrollText],
] as const

/** Explains the payment services: topping up the balance, the card, and the steps afterwards. */
export function PayServicePage() {
  const t = useTexts(noticeTexts)
  const page = useTexts(pageTexts)
  return (
    <div className="mx-auto w-full max-w-[880px] px-5 py-12 mobile:py-8">
      <h1 className="text-28 font-bold mobile:text-20">{t('services_title')}</h1>
      <p className="mt-2 text-14 text-fg-2">{t('services_about')}</p>
      <div className="mt-7 grid gap-4 desktop:grid-cols-2">
        <Service icon={Wallet} title={t('services_recharge')} about={t('services_recharge_about')}>
          <a href="/api?tab=view" className={getButtonClass('primary', 'md')}>
            {t('services_recharge_go')}
          </a>
          <a href="/help/recharge" className="link text-14">
            {t('services_fees')}
          </a>
        </Service>
        <Service icon={CreditCard} title={t('services_cards')} about={t('services_cards_about')}>
          <a href="/card" className={getButtonClass('primary', 'md')}>
            {t('services_cards_go')}
          </a>
          <a href="/help/virtual-card" className="link text-14">
            {t('services_cards_rules')}
          </a>
        </Service>
      </div>
      <h2 className="mt-9 text-16 font-semibold">{t('services_after')}</h2>
      <ul className="mt-3 divide-y divide-line rounded-card border border-line bg-surface">
        {SERVICE_LINKS.map(([path, name, Icon]) => (
          <li key={path}>
            <a href={path} className="flex items-center gap-3 px-5 py-3.5 text-14 hover:bg-sunken mobile:px-4">
              <Icon size={18} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-fg-3" />
              <span className="font-medium">{name === 'bills' ? t('services_bills_name') : page(name)}</span>
              <span className="min-w-0 flex-1 text-fg-3">{t(SERVICES_TEXT[name])}</span>
              <ChevronRight size={16} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-fg-3" />
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}

interface ServiceProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly about: string
  readonly children?: ReactNode
}

function Service({ icon: Icon, title, about, children }: ServiceProps) {
  return (
    <section className="flex flex-col rounded-card border border-line bg-surface p-5 mobile:p-4">
      <div className="flex items-center gap-3">
        <Icon size={22} strokeWidth={1.75} aria-hidden="true" className="text-brand" />
        <h2 className="text-16 font-semibold">{title}</h2>
      </div>
      <p className="mt-2 text-14 text-fg-2">{about}</p>
      {children ? <div className="mt-auto flex flex-wrap items-center gap-x-4 gap-y-2 pt-4">{children}</div> : null}
    </section>
  )
}
