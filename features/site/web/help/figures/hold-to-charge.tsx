import { allocate, subtractNano, parseUsd, sumNano, computeTokenCost, formatUsd } from '#platform/shared/money.ts'
import { useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { helpTexts } from '../../../help-texts.ts'
import { FlowFrame } from './flow.tsx'

/** gpt-5.4-mini on 2026-11-20. Held: 2,000 bytes are at most 667 tokens, and 4,096 of output if no cap is given. */
const INPUT = parseUsd('0.75')
const OUTPUT = parseUsd('4.50')
const computeCost = (input: number, output: number) => sumNano([computeTokenCost(input, INPUT), computeTokenCost(output, OUTPUT)])
const held = computeCost(667, 4096)
const charged = computeCost(480, 350)
const returned = subtractNano(held, charged)
/** Position of the cut in the bars, in percent of their length. */
const cut = Number(allocate(100n, [charged, returned])[0])

/** Figure of a call's hold, charge and refund: three bars of one length. */
export function HoldToCharge() {
  const t = useTexts(helpTexts)
  const bars = [
    { label: t('fig_hold_1'), note: t('fig_hold_1_note'), value: held, from: 0, width: 100, look: 'fill-chart-2' },
    { label: t('fig_hold_2'), note: t('fig_hold_2_note'), value: charged, from: 0, width: cut, look: 'fill-chart-1' },
    { label: t('fig_hold_3'), note: t('fig_hold_3_note'), value: returned, from: cut, width: 100 - cut, look: 'fill-chart-8' },
  ]
  return (
    <FlowFrame caption={t('fig_hold_caption')}>
      <ol className="!list-none grid gap-5 !pl-0">
        {bars.map(({ label, note, value, from, width, look }, at) => (
          <li key={label} className="!mt-0">
            <p className="flex items-baseline gap-3 text-14">
              <span className="num text-fg-3">{at + 1}</span>
              <span className="font-semibold">{label}</span>
              <span className="num ml-auto">{displayUsd(formatUsd(value), 8)}</span>
            </p>
            <svg viewBox="0 0 100 4" preserveAspectRatio="none" className="mt-1.5 h-3 w-full" aria-hidden="true">
              <rect width="100" height="4" className="fill-sunken" />
              <rect x={from} width={width} height="4" className={look} />
            </svg>
            <p className="mt-1 text-13 text-fg-2">{note}</p>
          </li>
        ))}
      </ol>
    </FlowFrame>
  )
}
