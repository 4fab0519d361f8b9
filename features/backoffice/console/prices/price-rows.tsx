import { RotateCcw } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { IconButton } from '#ui/icon-button.tsx'
import { getVendorColor } from '#features/gateway/web/door.ts'
import { Dot } from '#ui/badge.tsx'
import type { ReplyOf } from '#platform/shared/contract.ts'
import type { gatewayDeskContract } from '#features/gateway/contract-desk.console.ts'
import { isPrice } from './use-draft.ts'
import type { PriceDraft } from './use-draft.ts'
import { modelTexts } from './texts.ts'
import { resolveTextKey } from '#platform/shared/texts.ts'

const CLASS_TEXT = {
  input: 'class_input',
  cachedInput: 'class_cachedInput',
  cacheWrite5m: 'class_cacheWrite5m',
  cacheWrite1h: 'class_cacheWrite1h',
  output: 'class_output',
  audioInput: 'class_audioInput',
  audioOutput: 'class_audioOutput',
  imageInput: 'class_imageInput',
  cachedAudio: 'class_cachedAudio',
  cachedImage: 'class_cachedImage',
  imageOutput: 'class_imageOutput',
  characters: 'class_characters',
  seconds: 'class_seconds',
  searches: 'class_searches',
  cacheWrite12h: 'class_cacheWrite12h',
  webSearches: 'class_webSearches',
  groundedPrompts: 'class_groundedPrompts',
  mapPrompts: 'class_mapPrompts',
  containers: 'class_containers',
  codeSeconds: 'class_codeSeconds',
} as const

type PriceBook = ReplyOf<(typeof gatewayDeskContract)['prices']>
export type PriceBookRow = PriceBook['rows'][number]
type Line = PriceBookRow['classes'][number]

export const formatBasisPoints = (basisPoints: number | null) => (basisPoints === null ? '—' : `${(basisPoints / 100).toFixed(1).replace('-', '−')}%`)
/** Relative change between two decimal texts of the server. */
const computeChange = (now: string, then: string) => (Number(now) === 0 ? null : Math.round((Number(then) / Number(now) - 1) * 10_000))
const formatSignedBasisPoints = (basisPoints: number | null) => (basisPoints === null ? '—' : `${basisPoints > 0 ? '+' : ''}${formatBasisPoints(basisPoints)}`)

/** One model: a header with the number of affected customers, and a row per class with an editable new price. */
export function ModelRows({ row, draft, onlyChanged }: { readonly row: PriceBookRow; readonly draft: PriceDraft; readonly onlyChanged: boolean }) {
  const t = useTexts(modelTexts)
  const own = draft.draft[row.model] ?? {}
  const tried = draft.tried?.rows.find(({ model }) => model === row.model)
  const lines = row.classes.filter(({ name }) => !onlyChanged || own[name] !== undefined)
  if (!lines.length) return null
  return (
    <>
      <tr className="ops-row bg-sunken/60">
        <th scope="rowgroup" colSpan={6} className="px-5 text-left font-normal mobile:px-4">
          <Dot color={getVendorColor(row.vendor)} className="mr-2" />
          <strong className="num font-semibold">{row.model}</strong>
          <span className="ml-2 text-fg-3">{t('usedBy', { n: row.customers })}</span>
          {row.plan ? <span className="ml-2 text-fg-3">{t('byPlan', { title: row.plan })}</span> : null}
        </th>
        <td className="num px-3 text-right mobile:hidden">{tried?.amountThen ? <PriceDifference now={tried.amountNow} then={tried.amountThen} /> : null}</td>
        <td className="num px-5 text-right text-fg-2 mobile:hidden">{displayUsd(row.amount)}</td>
      </tr>
      {lines.map((line) => (
        <ClassRow key={line.name} model={row.model} line={tried?.classes.find(({ name }) => name === line.name) ?? line} typed={own[line.name]} draft={draft} />
      ))}
    </>
  )
}

function PriceDifference({ now, then }: { readonly now: string; readonly then: string }) {
  return <span className="font-semibold">{formatSignedBasisPoints(computeChange(now, then))}</span>
}

function ClassRow({
  model,
  line,
  typed,
  draft,
}: {
  readonly model: string
  readonly line: Line
  readonly typed: string | undefined
  readonly draft: PriceDraft
}) {
  const t = useTexts(modelTexts)
  const isChanged = typed !== undefined && isPrice(typed)
  const isBelow = isChanged && line.belowCost
  const name = t(resolveTextKey(CLASS_TEXT, line.name))
  return (
    <tr className="ops-row" data-below={isBelow || undefined}>
      <th
        scope="row"
        className={`py-1 pr-3 pl-10 text-left font-normal mobile:min-w-28 mobile:pl-6 ${isBelow ? 'shadow-[inset_3px_0_0_var(--color-danger)]' : ''}`}
      >
        {name}
      </th>
      <td className="num px-3 text-right text-fg-3">{displayUsd(line.now)}</td>
      <td className="px-3 text-right">
        <span className="inline-flex items-center gap-1">
          {typed !== undefined ? (
            <IconButton label={t('restore', { name })} onClick={() => draft.set(model, line.name, undefined)}>
              <RotateCcw size={14} strokeWidth={1.75} aria-hidden="true" />
            </IconButton>
          ) : null}
          <input
            className={`input num w-[104px] text-right ${isChanged ? 'font-semibold' : ''}`}
            inputMode="decimal"
            aria-label={t('newPriceOf', { model, name })}
            aria-invalid={typed !== undefined && !isPrice(typed) ? true : undefined}
            placeholder={line.now}
            value={typed ?? ''}
            onChange={(event) => draft.set(model, line.name, event.target.value.trim() || undefined)}
          />
        </span>
      </td>
      <td className="num px-3 text-right">{isChanged ? formatSignedBasisPoints(computeChange(line.now, line.then)) : ''}</td>
      <td className="num px-3 text-right text-fg-2 mobile:hidden">{line.vendor === null ? '—' : displayUsd(line.vendor)}</td>
      <td className="num px-3 text-right text-fg-3 mobile:hidden">{formatBasisPoints(line.marginNow)}</td>
      <td className={`num px-3 text-right mobile:hidden ${isBelow ? 'font-semibold text-danger' : isChanged ? 'font-semibold' : 'text-fg-3'}`}>
        {isChanged ? formatBasisPoints(line.marginThen) : ''}
      </td>
      <td className="px-5 mobile:hidden">{isChanged && line.marginThen !== null ? <MarginBar basisPoints={line.marginThen} /> : null}</td>
    </tr>
  )
}

/** Bar of the margin from zero: profit to the right, loss to the left, capped at half the width. */
function MarginBar({ basisPoints }: { readonly basisPoints: number }) {
  const width = Math.min(50, Math.max(2, Math.abs(basisPoints) / 100))
  return (
    <span className="relative block h-1.5 w-20" aria-hidden="true">
      <span className="absolute inset-y-[-3px] left-1/2 w-px bg-control" />
      <span
        className={`absolute inset-y-0 ${basisPoints < 0 ? 'bg-danger' : 'bg-[var(--color-chart-1)]'}`}
        style={basisPoints < 0 ? { right: '50%', width: `${width}%` } : { left: '50%', width: `${width}%` }}
      />
    </span>
  )
}
