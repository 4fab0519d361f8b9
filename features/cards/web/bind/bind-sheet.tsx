import { Check, CircleAlert, ExternalLink, Eye } from 'lucide-react'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { parseUsd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { Button, getButtonClass } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Segmented } from '#ui/fields/segmented.tsx'
import { Sheet } from '#ui/layers/sheet.tsx'
import type { CardRow } from '../../contract.ts'
import { cardTexts } from '../../texts.ts'
import { bindTexts } from '../../texts-bind.ts'
import type { CardDialogProps } from '../card-dialog-props.ts'
import { formatCountry } from '../reveal/address-lines.ts'
import { SecretRows } from '../reveal/secret-rows.tsx'
import { useReveal } from '../reveal/use-reveal.ts'

/** Services whose checkout has its own page here. `least`: the plan and the charge that tests the card. */
const BIND_SERVICES = [
  { id: 'chatgpt', name: 'ChatGPT', url: 'https://chatgpt.com', least: '25', type: 'standard' },
  { id: 'claude', name: 'Claude', url: 'https://claude.ai', least: '25', type: 'standard' },
  { id: 'cursor', name: 'Cursor', url: 'https://cursor.com', least: '25', type: 'standard' },
  { id: 'midjourney', name: 'Midjourney', url: 'https://www.midjourney.com', least: '15', type: 'standard' },
  { id: 'netflix', name: 'Netflix', url: 'https://www.netflix.com', least: '25', type: 'pro' },
] as const
type BindService = (typeof BIND_SERVICES)[number]

/** True if this card suits the service: by the server's lists first, then by its type. */
function suitsService({ type, goodFor, notFor }: Pick<CardRow, 'type' | 'goodFor' | 'notFor'>, service: BindService): boolean {
  if (notFor.includes(service.id)) return false
  return goodFor.includes(service.id) || type === service.type
}

const STATE_TEXT = {
  chatgpt: { 1: 'chatgpt_1', 2: 'chatgpt_2', 3: 'chatgpt_3', 4: 'chatgpt_4' },
  claude: { 1: 'claude_1', 2: 'claude_2', 3: 'claude_3', 4: 'claude_4' },
  cursor: { 1: 'cursor_1', 2: 'cursor_2', 3: 'cursor_3', 4: 'cursor_4' },
  midjourney: { 1: 'midjourney_1', 2: 'midjourney_2', 3: 'midjourney_3', 4: 'midjourney_4' },
  netflix: { 1: 'netflix_1', 2: 'netflix_2', 3: 'netflix_3', 4: 'netflix_4' },
} as const
const TYPE_TEXT = { standard: 'type_standard', pro: 'type_pro' } as const
const FIELD_TEXT = {
  state: 'field_state',
  holder: 'field_holder',
  line1: 'field_line1',
  line2: 'field_line2',
  city: 'field_city',
  country: 'field_country',
  postal: 'field_postal',
} as const

/** Guide beside the checkout of another site: its fields in its order, each with a copy button, and the requirements of that site. */
export function BindSheet({ card, open, onClose }: CardDialogProps) {
  const t = useTexts(bindTexts)
  return (
    <Sheet open={open} onClose={onClose} title={t('title')}>
      {open ? <Helper card={card} /> : null}
    </Sheet>
  )
}

function Helper({ card }: { readonly card: CardRow }) {
  const t = useTexts(bindTexts)
  const [id, setId] = useState<BindService['id']>(() => (BIND_SERVICES.find((one) => suitsService(card, one)) ?? BIND_SERVICES[0]).id)
  const service = BIND_SERVICES.find((one) => one.id === id) ?? BIND_SERVICES[0]
  return (
    <div className="grid gap-6">
      <Segmented label={t('where')} value={id} onChange={setId} items={BIND_SERVICES.map(({ id: value, name }) => ({ value, label: name }))} />
      <Ready card={card} service={service} />
      <section aria-labelledby="bind-fields">
        <h3 id="bind-fields" className="text-14 font-semibold">
          {t('fields')}
        </h3>
        <p className="mb-3 text-13 text-fg-2">{t('fieldsAbout')}</p>
        <Secrets card={card} />
        <Address card={card} />
      </section>
      <section aria-labelledby="bind-steps">
        <div className="mb-2 flex items-baseline justify-between gap-3">
          <h3 id="bind-steps" className="text-14 font-semibold">
            {t('steps', { name: service.name })}
          </h3>
          <a href={service.url} target="_blank" rel="noopener noreferrer" className="link inline-flex items-center gap-1 text-13">
            {t('goThere')}
            <ExternalLink size={14} strokeWidth={1.75} aria-hidden="true" />
          </a>
        </div>
        <ol className="grid list-decimal gap-1.5 pl-5 text-14 text-fg-2">
          {([1, 2, 3, 4] as const).map((step) => (
            <li key={step}>{t(STATE_TEXT[service.id][step])}</li>
          ))}
        </ol>
      </section>
      <a href="/help/card-binding" target="_blank" rel="noopener" className={getButtonClass('secondary', 'md', 'justify-self-start')}>
        {t('article')}
      </a>
    </div>
  )
}

/** Checks for common causes of a failed first charge beforehand: each refusal counts towards closing the card. */
function Ready({ card, service }: { readonly card: CardRow; readonly service: BindService }) {
  const t = useTexts(bindTexts)
  const enough = parseUsd(card.available) >= parseUsd(service.least)
  const type = suitsService(card, service)
  return (
    <ul className="grid gap-1.5 rounded-card bg-sunken px-4 py-3 text-13">
      <Line good={card.state === 'active'}>{t(card.state === 'active' ? 'readyActive' : 'readyFrozen')}</Line>
      <Line good={type}>{t(type ? 'readyType' : 'readyWrongType', { name: service.name, type: t(TYPE_TEXT[service.type]) })}</Line>
      <Line good={enough}>
        {t(enough ? 'readyMoney' : 'readyShort', { available: displayUsd(card.available), least: displayUsd(service.least, 0), name: service.name })}
      </Line>
    </ul>
  )
}

function Line({ good, children }: { readonly good: boolean; readonly children: ReactNode }) {
  const Icon = good ? Check : CircleAlert
  return (
    <li className="flex items-start gap-2">
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" className={`mt-0.5 shrink-0 ${good ? 'text-success' : 'text-warning'}`} />
      {children}
    </li>
  )
}

/** The secret fields come first at every checkout; here the issuer shows them. */
function Secrets({ card }: { readonly card: CardRow }) {
  const t = useTexts(cardTexts)
  const b = useTexts(bindTexts)
  const reveal = useReveal(card)
  const { state } = reveal
  if (state.step === 'shown')
    return (
      <div className="rounded-card border border-line px-4 py-2">
        <SecretRows state={state} reveal={reveal} />
      </div>
    )
  return (
    <div className="rounded-card border border-line px-4 py-3">
      <div className="flex items-center justify-between gap-4">
        <div>
          <p className="text-14 font-medium">{b('secret')}</p>
          <p className="text-13 text-fg-3">{card.state === 'active' ? t('revealHint') : t('paperFrozen')}</p>
        </div>
        {card.state === 'active' ? (
          <Button variant="secondary" loading={state.step === 'asking'} onClick={() => void reveal.press()}>
            <Eye size={16} strokeWidth={1.75} aria-hidden="true" />
            {t('view')}
          </Button>
        ) : null}
      </div>
      {state.step === 'failed' ? (
        <p role="alert" className="mt-2 text-13 text-danger">
          {state.error}
        </p>
      ) : null}
    </div>
  )
}

const NO_ADDRESS = { line1: '', line2: '', city: '', state: '', postalCode: '', country: '' }

function Address({ card }: { readonly card: CardRow }) {
  const t = useTexts(bindTexts)
  const { line1, line2, city, state, postalCode, country } = card.billingAddress ?? NO_ADDRESS
  const rows = [
    ['holder', card.holder],
    ['country', country && formatCountry(country)],
    ['line1', line1],
    ['line2', line2],
    ['city', city],
    ['state', state],
    ['postal', postalCode],
  ] as const
  return (
    <dl className="mt-3 divide-y divide-line rounded-card border border-line">
      {rows
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name} className="flex min-h-12 items-center gap-3 px-4 py-1">
            <dt className="w-28 shrink-0 text-13 text-fg-3">{t(FIELD_TEXT[name])}</dt>
            <dd className="min-w-0 flex-1 text-14">{value}</dd>
            <dd>
              <CopyButton text={value} label={t('copyOf', { name: t(FIELD_TEXT[name]) })} variant="ghost" className="-mr-3 !text-brand-text" />
            </dd>
          </div>
        ))}
    </dl>
  )
}
