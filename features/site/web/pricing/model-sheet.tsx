import { Link } from '@tanstack/react-router'
import type { ModelRow } from '#features/gateway/contract.ts'
import { isMedia, listModelPrices, PRICE_FACTORS, listToolPrices } from '#features/gateway/contract-units.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { useOpenWhenFree } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { Badge } from '#ui/badge.tsx'
import { getButtonClass } from '#ui/button.tsx'
import { CodeBlock } from '#ui/code-block.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Sheet } from '#ui/layers/sheet.tsx'
import { pricingTexts } from '../../pricing-texts.ts'
import { modelSnippets } from '../landing/snippets.ts'
import { formatLength, formatListPrice } from '../price-figures.ts'
import type { PriceCurrency } from '../price-figures.ts'
import { estimateLongTalk } from './estimate.ts'
import { CAPABILITIES } from './filters.ts'
import { buildMediaSnippets } from './media-snippets.ts'
import { LifeNotice, PriceNotice } from './model-name.tsx'
import { SITE_CAP_TEXT, SITE_KIND_TEXT, SITE_CLASS_TEXT, SITE_PER_TEXT } from '../../pricing-state-texts.ts'

const FACTOR_TEXT = { flex: 'factor_flex', priority: 'factor_priority', fast: 'factor_fast', us: 'factor_us' } as const

/** Charges beyond tokens: the vendor's own tools, and tiers that multiply the prices above. They apply only on request. */
function BeyondTokens({ row, unit }: { readonly row: ModelRow; readonly unit: PriceCurrency }) {
  const t = useTexts(pricingTexts)
  const tools = listToolPrices(row.prices[unit])
  const factors = PRICE_FACTORS.flatMap((name) => (row.factors?.[name] === undefined ? [] : [{ name, factor: row.factors[name] }]))
  if (tools.length + factors.length === 0) return null
  return (
    <>
      <ReceiptRule />
      {tools.map(({ name, unit: per, price }) => (
        <ReceiptRow key={name} label={t(SITE_CLASS_TEXT[name])} value={t(SITE_PER_TEXT[per], { price: formatListPrice(price, unit) })} />
      ))}
      {factors.map(({ name, factor }) => (
        <ReceiptRow key={name} label={t(FACTOR_TEXT[name])} value={t('factor_value', { factor })} />
      ))}
    </>
  )
}

const CLASSES = [
  'input',
  'cachedInput',
  'cacheWrite5m',
  'cacheWrite1h',
  'output',
  'audioInput',
  'audioOutput',
  'imageInput',
  'cachedAudio',
  'cachedImage',
] as const

interface SheetProps {
  readonly row: ModelRow | undefined
  readonly unit: PriceCurrency
  readonly rate: string
  readonly onClose: () => void
}

/** All data of one model, with a separate address: /pricing?model=… */
export function ModelSheet({ row, unit, rate, onClose }: SheetProps) {
  const t = useTexts(pricingTexts)
  const open = useOpenWhenFree(row !== undefined)
  return (
    <Sheet open={open} onClose={onClose} title={row?.modelName ?? ''}>
      {row ? (
        <div className="grid gap-6">
          <div>
            <p className="flex items-center gap-1 text-14 text-fg-2">
              <code className="num whitespace-normal [overflow-wrap:anywhere]">{row.modelValue}</code>
              <CopyButton iconOnly text={row.modelValue} label={t('copy_id', { id: row.modelValue })} />
            </p>
            <LifeNotice row={row} />
            <PriceNotice row={row} unit={unit} className="mt-1" />
            <p className="mt-3 flex flex-wrap gap-1.5">
              {row.percent === undefined ? null : <Badge tone="success">{t('own', { percent: row.percent })}</Badge>}
              {CAPABILITIES.filter((one) => row.capabilities.includes(one)).map((one) => (
                <Badge key={one}>{t(SITE_CAP_TEXT[one])}</Badge>
              ))}
            </p>
          </div>
          <Receipt look="inline" label={isMedia(row.kind) ? t(SITE_KIND_TEXT[row.kind]) : t('per_million')}>
            <p className="text-14 font-semibold">{isMedia(row.kind) ? t(SITE_KIND_TEXT[row.kind]) : t('per_million')}</p>
            <ReceiptRule />
            {isMedia(row.kind)
              ? listModelPrices(row.prices[unit]).map(({ name, unit: per, price }) => (
                  <ReceiptRow key={name} label={t(SITE_CLASS_TEXT[name])} value={t(SITE_PER_TEXT[per], { price: formatListPrice(price, unit) })} />
                ))
              : null}
            {isMedia(row.kind) && !listModelPrices(row.prices[unit]).length ? <p className="text-14 text-fg-2">{t('free')}</p> : null}
            {CLASSES.filter((name) => !isMedia(row.kind) && row.prices[unit][name] !== null && !(name === 'output' && row.kind === 'embedding')).map((name) => (
              <ReceiptRow
                key={name}
                label={t(SITE_CLASS_TEXT[name])}
                value={formatListPrice(row.prices[unit][name], unit)}
                note={
                  row.longContext?.[unit][name]
                    ? t('long_note', {
                        count: formatLength(row.longContext.aboveInputTokens),
                        price: formatListPrice(row.longContext[unit][name], unit),
                      })
                    : undefined
                }
              />
            ))}
            {row.kind === 'chat' ? <BeyondTokens row={row} unit={unit} /> : null}
            {row.kind === 'chat' ? <ReceiptRule /> : null}
            {row.kind === 'chat' ? <ReceiptRow strong label={t('talk')} value={estimateLongTalk(row, rate) ?? '–'} note={t('talk_note')} /> : null}
          </Receipt>
          <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-14">
            <Fact name={t('context')} value={formatLength(row.contextTokens)} />
            <Fact name={t('max_output')} value={formatLength(row.maxOutputTokens)} />
            <Fact name={t('released')} value={row.releasedOn ?? '–'} />
            <Fact name={t('price_since')} value={toShanghaiDay(Date.parse(row.priceFrom))} />
          </dl>
          {row.kind === 'chat' || isMedia(row.kind) ? (
            <CodeBlock
              remembered
              label={t('first_call')}
              snippets={isMedia(row.kind) ? buildMediaSnippets(site.origin, row.modelValue, row.kind) : modelSnippets(site.origin, row.modelValue, row.vendor)}
            />
          ) : null}
          {row.kind === 'realtime' ? (
            <p className="text-14 text-fg-2">
              {t('over_socket')}{' '}
              <Link to="/help/$slug" params={{ slug: 'realtime' }} className="link">
                {t('over_socket_how')}
              </Link>
            </p>
          ) : null}
          <p>
            <Link to="/api" className={getButtonClass('primary')}>
              {t('use_it')}
            </Link>
          </p>
        </div>
      ) : null}
    </Sheet>
  )
}

function Fact({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div className="border-t border-line pt-2">
      <dt className="text-13 text-fg-3">{name}</dt>
      <dd className="num">{value}</dd>
    </div>
  )
}
