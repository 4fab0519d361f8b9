import { Link, useParams, notFound } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { useTitle } from '#platform/web/title.ts'
import type { CatalogueRow } from '#features/services/contract.ts'
import { Badge } from '#ui/badge.tsx'
import { getButtonClass } from '#ui/button.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { siteServiceTexts } from '../../service-texts.ts'
import { landings, type KitId, type SoldService } from '../services.ts'
import { EnterButton } from './enter-button.tsx'
import { resolveServiceStatus, useServiceCatalogue } from './use-catalogue.ts'
import { describeOpening } from './opening-text.ts'
import { SITE_SVC_TEXT, SITE_SVC_TIME_TEXT, SITE_SVC_DO_TEXT, SITE_LAND_LEAD_TEXT } from '../../service-state-texts.ts'

/** Only services of the kit have a landing page here. */
export function checkLanding(id: string): void {
  if (!landings.some((service) => service.id === id)) throw notFound()
}

const LAND_TEXT = {
  flex: { s1: 'land_flex_s1', s2: 'land_flex_s2', s3: 'land_flex_s3', f1: 'land_flex_f1', f2: 'land_flex_f2', f3: 'land_flex_f3' },
  upgrade: { s1: 'land_upgrade_s1', s2: 'land_upgrade_s2', s3: 'land_upgrade_s3', f1: 'land_upgrade_f1', f2: 'land_upgrade_f2', f3: 'land_upgrade_f3' },
  registration: {
    s1: 'land_registration_s1',
    s2: 'land_registration_s2',
    s3: 'land_registration_s3',
    f1: 'land_registration_f1',
    f2: 'land_registration_f2',
    f3: 'land_registration_f3',
  },
  numbers: { s1: 'land_numbers_s1', s2: 'land_numbers_s2', s3: 'land_numbers_s3', f1: 'land_numbers_f1', f2: 'land_numbers_f2', f3: 'land_numbers_f3' },
  mail: { s1: 'land_mail_s1', s2: 'land_mail_s2', s3: 'land_mail_s3', f1: 'land_mail_f1', f2: 'land_mail_f2', f3: 'land_mail_f3' },
  proxy: { s1: 'land_proxy_s1', s2: 'land_proxy_s2', s3: 'land_proxy_s3', f1: 'land_proxy_f1', f2: 'land_proxy_f2', f3: 'land_proxy_f3' },
  accelerated: {
    s1: 'land_accelerated_s1',
    s2: 'land_accelerated_s2',
    s3: 'land_accelerated_s3',
    f1: 'land_accelerated_f1',
    f2: 'land_accelerated_f2',
    f3: 'land_accelerated_f3',
  },
  remote: { s1: 'land_remote_s1', s2: 'land_remote_s2', s3: 'land_remote_s3', f1: 'land_remote_f1', f2: 'land_remote_f2', f3: 'land_remote_f3' },
} as const
const SVC_PRICE_TEXT = {
  flex: 'svc_flex_price',
  upgrade: 'svc_upgrade_price',
  registration: 'svc_registration_price',
  numbers: 'svc_numbers_price',
  mail: 'svc_mail_price',
  proxy: 'svc_proxy_price',
  accelerated: 'svc_accelerated_price',
  remote: 'svc_remote_price',
} as const

const STEPS = ['s1', 's2', 's3'] as const
const RULES = ['f1', 'f2', 'f3'] as const

/** /service/<id>: description, steps, price, and the outcome if the service fails. */
export function ServiceLanding() {
  const t = useTexts(siteServiceTexts)
  const { id } = useParams({ strict: false }) as { readonly id: KitId }
  const service = landings.find((one) => one.id === id)!
  useTitle(t(SITE_SVC_TEXT[id]))
  const rows = useServiceCatalogue().data?.rowList
  const { row, isOpen, to } = resolveServiceStatus(service, rows)
  return (
    <div className="wrap-1200 py-12 mobile:py-7">
      <Link to="/service" className="inline-flex items-center gap-1.5 mobile:min-h-11 text-14 text-fg-2 no-underline hover:text-fg">
        <ArrowLeft size={16} strokeWidth={1.75} aria-hidden="true" />
        {t('land_all')}
      </Link>
      <div className="mt-5 grid gap-x-16 gap-y-10 desktop:grid-cols-[minmax(0,1fr)_380px]">
        <div className="min-w-0">
          <h1 className="flex flex-wrap items-center gap-x-4 gap-y-1 text-40 mobile:text-28">
            {t(SITE_SVC_TEXT[id])}
            {isOpen === false ? <Badge>{t('soon')}</Badge> : null}
          </h1>
          <p className="mt-3 max-w-[34em] text-18 text-fg-2 mobile:text-16">{t(SITE_LAND_LEAD_TEXT[id])}</p>
          <p className="mt-6 flex flex-wrap items-center gap-3">
            {isOpen && to ? (
              <EnterButton to={to} look="primary">
                {t(SITE_SVC_DO_TEXT[id])}
              </EnterButton>
            ) : isOpen === false ? (
              <span className="text-14 text-fg-2">{t('soon_note')}</span>
            ) : null}
            {service.help ? (
              <Link to={`/help/${service.help}` as string} className={getButtonClass('secondary')}>
                {t('land_help')}
              </Link>
            ) : null}
          </p>
          <h2 className="mt-12 text-20 mobile:mt-9">{t('land_how')}</h2>
          <ol className="mt-3 border-t-2 border-fg">
            {STEPS.map((step, at) => (
              <li key={step} className="grid grid-cols-[32px_minmax(0,1fr)] items-baseline border-b border-line py-3.5">
                <span className="num text-14 text-fg-3" aria-hidden="true">
                  {at + 1}
                </span>
                <span>{t(LAND_TEXT[id][step])}</span>
              </li>
            ))}
          </ol>
          <h2 className="mt-10 text-20">{t('land_fail')}</h2>
          <ul className="mt-3 list-disc space-y-2 pl-5 text-fg-2">
            {RULES.map((rule) => (
              <li key={rule}>{t(LAND_TEXT[id][rule])}</li>
            ))}
          </ul>
        </div>
        <aside className="desktop:pt-2">
          <Facts service={service} rows={rows} />
          {row?.measured.half != null || row?.measured.delivered != null ? (
            <p className="mt-3 text-12 text-fg-3">{t('land_counted', { days: row.measured.days, count: row.measured.count })}</p>
          ) : null}
        </aside>
      </div>
    </div>
  )
}

/** Price and times of the service, measured if there are enough measurements. */
function Facts({ service, rows }: { readonly service: SoldService; readonly rows: readonly CatalogueRow[] | undefined }) {
  const t = useTexts(siteServiceTexts)
  const id = service.id as KitId
  const { row, price, isOpen } = resolveServiceStatus(service, rows)
  const { half = null, most = null, delivered = null } = row?.measured ?? {}
  const state =
    isOpen === undefined
      ? '–'
      : !isOpen
        ? t('soon')
        : row?.paused == null
          ? t(row?.isOffered === false ? 'not_offered' : 'land_open')
          : row.paused === ''
            ? t('off')
            : t('off_why', { reason: row.paused })
  return (
    <Receipt look="inline" label={t('land_facts')}>
      <h2 className="text-16 font-bold">{t('land_facts')}</h2>
      <ReceiptRule />
      <ReceiptRow label={t('land_price')} value={<Words>{price === undefined ? '–' : t(SVC_PRICE_TEXT[id], { price: displayUsd(price) })}</Words>} />
      <ReceiptRow label={t('land_time')} value={<Words>{t(SITE_SVC_TIME_TEXT[id])}</Words>} />
      {half === null ? null : <ReceiptRow label={t('land_half')} value={<Words>{t('land_minutes', { minutes: half })}</Words>} />}
      {most === null ? null : <ReceiptRow label={t('land_most')} value={<Words>{t('land_minutes', { minutes: most })}</Words>} />}
      {delivered === null ? null : <ReceiptRow label={t('land_rate')} value={`${delivered}%`} />}
      {row?.desk ? (
        <ReceiptRow
          label={t('land_hours')}
          value={<Words>{row.desk.isOpen ? t('land_hours_open') : t(...describeOpening(row.desk.opensTime, Date.now()))}</Words>}
        />
      ) : null}
      <ReceiptRule />
      <ReceiptRow label={t('land_state')} value={<Words>{state}</Words>} />
    </Receipt>
  )
}

/** Words among figures use the page's text font. */
function Words({ children }: { readonly children: string }) {
  return <span className="font-sans">{children}</span>
}
