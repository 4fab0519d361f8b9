import { Link } from '@tanstack/react-router'
import type { ModelRow } from '#features/gateway/contract.ts'
import { isMediaKind, listedPrices } from '#features/gateway/contract-units.ts'
import { shanghaiDay } from '#platform/shared/time.ts'
import { useOpenWhenFree } from '#platform/web/state/dialogs.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { Badge } from '#ui/badge.tsx'
import { buttonClass } from '#ui/button.tsx'
import { CodeBlock } from '#ui/code-block.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import { Receipt, ReceiptRow, ReceiptRule } from '#ui/receipt.tsx'
import { Sheet } from '#ui/layers/sheet.tsx'
import { pricingTexts } from '../../pricing-texts.ts'
import { snippetsFor } from '../landing/snippets.ts'
import { contextText, priceText, type Unit } from '../price-figures.ts'
import { BeyondTokens } from './beyond-tokens.tsx'
import { longTalk } from './estimate.ts'
import { CAPABILITIES } from './filters.ts'
import { mediaSnippets } from './media-snippets.ts'
import { LifeNotice, PriceNotice } from './model-name.tsx'
import { SITE_CAP_TEXT, SITE_KIND_TEXT, SITE_CLASS_TEXT, SITE_PER_TEXT } from '../../pricing-state-texts.ts'

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
  readonly unit: Unit
  readonly rate: string
  readonly onClose: () => void
}

/** Everything that is known of one model, with an address of its own: /pricing?model=… */
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
          <Receipt look="inline" label={isMediaKind(row.kind) ? t(SITE_KIND_TEXT[row.kind]) : t('per_million')}>
            <p className="text-14 font-semibold">{isMediaKind(row.kind) ? t(SITE_KIND_TEXT[row.kind]) : t('per_million')}</p>
            <ReceiptRule />
            {isMediaKind(row.kind)
              ? listedPrices(row.prices[unit]).map(({ name, unit: per, price }) => (
                  <ReceiptRow key={name} label={t(SITE_CLASS_TEXT[name])} value={t(SITE_PER_TEXT[per], { price: priceText(price, unit) })} />
                ))
              : null}
            {isMediaKind(row.kind) && !listedPrices(row.prices[unit]).length ? <p className="text-14 text-fg-2">{t('free')}</p> : null}
            {CLASSES.filter((name) => !isMediaKind(row.kind) && row.prices[unit][name] !== null && !(name === 'output' && row.kind === 'embedding')).map(
              (name) => (
                <ReceiptRow
                  key={name}
                  label={t(SITE_CLASS_TEXT[name])}
                  value={priceText(row.prices[unit][name], unit)}
                  note={
                    row.longContext?.[unit][name]
                      ? t('long_note', { count: contextText(row.longContext.aboveInputTokens), price: priceText(row.longContext[unit][name], unit) })
                      : undefined
                  }
                />
              ),
            )}
            {row.kind === 'chat' ? <BeyondTokens row={row} unit={unit} /> : null}
            {row.kind === 'chat' ? <ReceiptRule /> : null}
            {row.kind === 'chat' ? <ReceiptRow strong label={t('talk')} value={longTalk(row, rate) ?? '–'} note={t('talk_note')} /> : null}
          </Receipt>
          <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-14">
            <Fact name={t('context')} value={contextText(row.contextTokens)} />
            <Fact name={t('max_output')} value={contextText(row.maxOutputTokens)} />
            <Fact name={t('released')} value={row.releasedOn ?? '–'} />
            <Fact name={t('price_since')} value={shanghaiDay(Date.parse(row.priceFrom))} />
          </dl>
          {row.kind === 'chat' || isMediaKind(row.kind) ? (
            <CodeBlock
              remembered
              label={t('first_call')}
              snippets={isMediaKind(row.kind) ? mediaSnippets(site.origin, row.modelValue, row.kind) : snippetsFor(site.origin, row.modelValue, row.vendor)}
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
            <Link to="/api" className={buttonClass('primary')}>
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
