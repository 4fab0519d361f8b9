import type { TextKeyOf } from '#platform/shared/texts.ts'
import { Link } from '@tanstack/react-router'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import type { CatalogueRow } from '#features/services/contract.ts'
import { Badge } from '#ui/badge.tsx'
import { Leader } from '#ui/receipt.tsx'
import { siteServiceTexts } from '../../service-texts.ts'
import type { SoldService } from '../services.ts'
import { EnterButton } from './enter-button.tsx'
import { resolveServiceStatus } from './use-catalogue.ts'
import { describeOpening } from './opening-text.ts'
import { SITE_SVC_TEXT, SITE_SVC_BODY_TEXT, SITE_SVC_DO_TEXT } from '../../service-state-texts.ts'
import { LANGUAGES, type Language } from '#platform/shared/languages.ts'

const SVC_PRICE_TEXT = {
  flex: 'svc_flex_price',
  card: 'svc_card_price',
  upgrade: 'svc_upgrade_price',
  registration: 'svc_registration_price',
  numbers: 'svc_numbers_price',
  mail: 'svc_mail_price',
  proxy: 'svc_proxy_price',
  accelerated: 'svc_accelerated_price',
  remote: 'svc_remote_price',
} as const
const SVC_TIME_TEXT = {
  flex: 'svc_flex_time',
  api: 'svc_api_time',
  card: 'svc_card_time',
  upgrade: 'svc_upgrade_time',
  registration: 'svc_registration_time',
  numbers: 'svc_numbers_time',
  mail: 'svc_mail_time',
  proxy: 'svc_proxy_time',
  accelerated: 'svc_accelerated_time',
  remote: 'svc_remote_time',
} as const

/** The user's state of a service. */
export interface OwnedService {
  readonly left: number
  readonly isRunning: boolean
}

interface RowProps {
  readonly service: SoldService
  readonly rows: readonly CatalogueRow[] | undefined
  readonly cardPrice: string | undefined
  readonly mine: OwnedService | undefined
}

/** Names in letters are longer; keep each on one line. */
const COLUMNS = {
  han: 'desktop:grid-cols-[136px_minmax(0,1fr)_minmax(0,400px)_116px_96px]',
  latin: 'desktop:grid-cols-[172px_minmax(0,1fr)_minmax(0,384px)_116px_96px]',
  other: 'desktop:grid-cols-[172px_minmax(0,1fr)_minmax(0,384px)_116px_96px]',
} as const satisfies Record<Language['script'], string>

/** A row of the hub: name, description, time and price on a leader, the user's state, one button. */
export function HubRow({ service, rows, cardPrice, mine }: RowProps) {
  const t = useTexts(siteServiceTexts)
  const { id, about } = service
  const { row, price, isOpen, to } = resolveServiceStatus(service, rows)
  const name = t(SITE_SVC_TEXT[id])
  const shown = formatServicePrice(t, id, id === 'card' ? cardPrice : price)
  return (
    <li className={`grid items-center gap-x-6 gap-y-1 border-b border-line py-3 desktop:min-h-[52px] desktop:py-2 ${COLUMNS[LANGUAGES[useLang()].script]}`}>
      <h3 className="text-16 font-semibold">
        <Link to={about} className="text-fg no-underline hover:underline">
          {name}
        </Link>
      </h3>
      <p className="text-14 text-fg-2">{t(SITE_SVC_BODY_TEXT[id])}</p>
      <p className="receipt-row text-13">
        <span className="min-w-0 text-fg-2">{describeTime(t, service, row)}</span>
        {shown === '' ? null : (
          <>
            <Leader />
            <span className="shrink-0 text-14 font-semibold">{shown}</span>
          </>
        )}
      </p>
      <p className="text-13 text-fg-3 desktop:text-right">
        <OwnState row={row} mine={mine} />
      </p>
      <p className="desktop:justify-self-end mobile:mt-1">
        {isOpen && to && row?.paused == null && row?.isOffered !== false ? (
          <EnterButton to={to} look="secondary" size="sm" label={`${t(SITE_SVC_DO_TEXT[id])} · ${name}`}>
            {t(SITE_SVC_DO_TEXT[id])}
          </EnterButton>
        ) : isOpen === false ? (
          <Badge>{t('soon')}</Badge>
        ) : row === undefined || (row.paused === null && row.isOffered) ? null : (
          <Badge tone="warning">{t(row.paused === null ? 'not_offered' : 'off')}</Badge>
        )}
      </p>
    </li>
  )
}

type TranslateService = ReturnType<typeof useTexts<TextKeyOf<typeof siteServiceTexts>>>

function formatServicePrice(t: TranslateService, id: SoldService['id'], price: string | undefined): string {
  if (id === 'api') return t('price_token')
  return price === undefined ? '' : t(SVC_PRICE_TEXT[id], { price: displayUsd(price) })
}

/** Measured time if there are enough measurements, else the rule. */
function describeTime(t: TranslateService, { id }: SoldService, row: CatalogueRow | undefined): string {
  if (row?.paused) return t('off_why', { reason: row.paused })
  const { half = null, delivered = null, days = 0 } = row?.measured ?? {}
  if (id === 'numbers' && delivered !== null) return t('rate', { days, delivered })
  if (id !== 'flex' && half !== null && half > 1) return t('half', { days, half })
  return t(SVC_TIME_TEXT[id])
}

function OwnState({ row, mine }: { readonly row: CatalogueRow | undefined; readonly mine: OwnedService | undefined }) {
  const t = useTexts(siteServiceTexts)
  if (row?.desk && !row.desk.isOpen) return t(...describeOpening(row.desk.opensTime, Date.now()))
  if (mine?.isRunning) return <span className="font-semibold text-brand-text">{t('subscribed')}</span>
  if (mine?.left) return <span className="font-semibold text-brand-text">{t('free_left', { left: mine.left })}</span>
  return null
}
