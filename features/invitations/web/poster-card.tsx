import { Download } from 'lucide-react'
import { QRCodeCanvas } from 'qrcode.react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { useLang, useTexts } from '#platform/web/i18n.ts'
import { displayUsd } from '#platform/web/money.tsx'
import { saveBlob } from '#platform/web/save-blob.ts'
import { site } from '#platform/web/site.ts'
import { Button } from '#ui/button.tsx'
import { CopyButton } from '#ui/copy-button.tsx'
import type { InvitationInfo } from '../contract-shapes.ts'
import { invitationTexts } from '../texts.ts'
import { buildDiscountExample } from './example.ts'
import { invitationsApi } from './invitations-api.ts'
import { chooseBrand, readsHan } from '#platform/shared/languages.ts'

/** The words and figures of a poster, all of them ready to be drawn. */
interface Poster {
  readonly brand: string
  readonly headline: readonly string[]
  readonly lines: readonly string[]
  readonly slip: string
  readonly example: string
  readonly rows: readonly { readonly label: string; readonly value: string; readonly accent?: boolean }[]
  readonly due: { readonly label: string; readonly value: string; readonly note: string }
  readonly scan: string
  readonly or: string
  readonly code: string
  readonly link: string
}

const POSTER_WIDTH = 750
const POSTER_HEIGHT = 1334
const EDGE = 60
const PAPER = { left: 60, right: 690, top: 512, bottom: 1216 }
const INSET = { left: 104, right: 646 }
const QR = 204

interface PosterStyle {
  readonly sans: string
  readonly mono: string
  readonly color: (token: string) => string
}

function readPosterStyle(): PosterStyle {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => style.getPropertyValue(name).trim()
  return { sans: token('--font-sans'), mono: token('--font-mono'), color: (name) => token(`--color-${name}`) }
}

/** Draws at the poster's own size. `qr` is a canvas that holds the code without its quiet zone. */
async function drawPoster(canvas: HTMLCanvasElement, qr: HTMLCanvasElement, poster: Poster): Promise<void> {
  const looks = readPosterStyle()
  await loadFonts(looks, poster)
  const pen = canvas.getContext('2d')
  if (!pen) return
  pen.clearRect(0, 0, POSTER_WIDTH, POSTER_HEIGHT)
  pen.fillStyle = looks.color('ink')
  pen.fillRect(0, 0, POSTER_WIDTH, POSTER_HEIGHT)
  pen.textBaseline = 'alphabetic'
  drawHead(pen, looks, poster)
  drawPaper(pen, looks)
  drawFigures(pen, looks, poster)
  drawCode(pen, looks, { poster, qr })
  drawPosterText(pen, looks, { words: poster.link, x: POSTER_WIDTH / 2, y: 1280, size: 22, color: 'ink-fg-3', align: 'center', most: 630 })
}

async function loadFonts({ sans, mono }: PosterStyle, poster: Poster): Promise<void> {
  const words = JSON.stringify(poster)
  await Promise.all([`700 40px ${sans}`, `400 28px ${sans}`, `600 40px ${mono}`, `400 28px ${mono}`].map((font) => document.fonts.load(font, words))).catch(
    () => [],
  )
}

interface PosterText {
  readonly words: string
  readonly x: number
  readonly y: number
  readonly size: number
  readonly color: string
  readonly weight?: number
  readonly mono?: boolean
  readonly align?: CanvasTextAlign
  /** Maximum width; longer text is shrunk to it. */
  readonly most?: number
}

/** Draws a text and returns its width. */
function drawPosterText(
  pen: CanvasRenderingContext2D,
  looks: PosterStyle,
  { words, x, y, size, color, weight = 400, mono, align = 'left', most = 630 }: PosterText,
): number {
  const set = (at: number) => {
    pen.font = `${weight} ${at}px ${mono ? looks.mono : looks.sans}`
    return pen.measureText(words).width
  }
  let at = size
  while (set(at) > most && at > 12) at -= 1
  pen.fillStyle = looks.color(color)
  pen.textAlign = align
  pen.fillText(words, x, y)
  return pen.measureText(words).width
}

function drawHead(pen: CanvasRenderingContext2D, looks: PosterStyle, { brand, headline, lines }: Poster): void {
  drawMark(pen, looks, { x: 61, y: 65, scale: 1.62 })
  drawPosterText(pen, looks, { words: brand, x: 112, y: 94, size: 30, weight: 700, color: 'ink-fg' })
  headline.forEach((words, n) => drawPosterText(pen, looks, { words, x: EDGE, y: 228 + n * 106, size: 88, weight: 700, color: 'ink-fg' }))
  lines.forEach((words, n) => drawPosterText(pen, looks, { words, x: EDGE, y: 402 + n * 44, size: 28, color: 'ink-fg-2' }))
}

/** Draws a till receipt with two lines. */
function drawMark(
  pen: CanvasRenderingContext2D,
  looks: PosterStyle,
  { x, y, scale }: { readonly x: number; readonly y: number; readonly scale: number },
): void {
  pen.save()
  pen.translate(x, y)
  pen.scale(scale, scale)
  pen.fillStyle = looks.color('ink-fg')
  pen.fill(new Path2D('M1 1h19v22q-1.6-2.4-3.17 0t-3.17 0t-3.16 0t-3.17 0t-3.17 0t-3.16 0z'))
  pen.strokeStyle = looks.color('ink')
  pen.lineWidth = 1.8
  pen.lineCap = 'round'
  pen.stroke(new Path2D('M5 7h6M5 12h6'))
  for (const [cy, color] of [
    [7, 'chart-1'],
    [12, 'chart-2'],
  ] as const) {
    pen.fillStyle = looks.color(color)
    pen.beginPath()
    pen.arc(15.5, cy, 1.5, 0, Math.PI * 2)
    pen.fill()
  }
  pen.restore()
}

/** Draws the slot, and the paper that hangs out of it with a torn edge. */
function drawPaper(pen: CanvasRenderingContext2D, looks: PosterStyle): void {
  const { left, right, top, bottom } = PAPER
  pen.fillStyle = '#000'
  pen.strokeStyle = looks.color('ink-line')
  pen.lineWidth = 2
  pen.beginPath()
  pen.roundRect(37, 489, 676, 22, 11)
  pen.fill()
  pen.stroke()
  pen.fillStyle = looks.color('paper')
  pen.fillRect(left, top, right - left, bottom - top)
  const shade = pen.createLinearGradient(0, top, 0, top + 16)
  shade.addColorStop(0, 'rgb(0 0 0 / 0.14)')
  shade.addColorStop(1, 'rgb(0 0 0 / 0)')
  pen.fillStyle = shade
  pen.fillRect(left, top, right - left, 16)
  pen.fillStyle = looks.color('ink')
  const step = (right - left) / 15
  for (let n = 0; n < 15; n++) {
    pen.beginPath()
    pen.arc(left + step * (n + 0.5), bottom, 13, 0, Math.PI * 2)
    pen.fill()
  }
}

function drawRule(
  pen: CanvasRenderingContext2D,
  looks: PosterStyle,
  { y, from = INSET.left, to = INSET.right, dash = [6, 5] }: { readonly y: number; readonly from?: number; readonly to?: number; readonly dash?: number[] },
): void {
  pen.save()
  pen.strokeStyle = looks.color('paper-line')
  pen.lineWidth = 1.5
  pen.setLineDash(dash)
  pen.beginPath()
  pen.moveTo(from, y)
  pen.lineTo(to, y)
  pen.stroke()
  pen.restore()
}

function drawFigures(pen: CanvasRenderingContext2D, looks: PosterStyle, { slip, example, rows, due }: Poster): void {
  const { left, right } = INSET
  const wide = drawPosterText(pen, looks, { words: slip, x: left, y: 573, size: 32, weight: 700, color: 'paper-fg', most: 240 })
  drawPosterText(pen, looks, { words: example, x: right, y: 573, size: 24, color: 'paper-fg-2', align: 'right', most: right - left - wide - 24 })
  drawRule(pen, looks, { y: 601 })
  rows.forEach(({ label, value, accent }, n) => {
    const y = 651 + n * 46
    // the theme's brand tone changes with the theme; on paper it is always the light one
    const color = accent ? 'chart-1-paper' : 'paper-fg'
    const weight = accent ? 700 : 400
    const labelWidth = drawPosterLine(pen, looks, { words: label, x: left, y, size: 28, weight, color, most: 330 })
    const valueWidth = drawPosterLine(pen, looks, {
      words: value,
      x: right,
      y,
      size: 28,
      weight: accent ? 700 : 500,
      color,
      mono: true,
      align: 'right',
      most: 200,
    })
    drawRule(pen, looks, { y: y - 8, from: left + labelWidth + 14, to: right - valueWidth - 14, dash: [2, 3] })
  })
  drawRule(pen, looks, { y: 773 })
  drawPosterText(pen, looks, { words: due.label, x: left, y: 838, size: 44, weight: 700, color: 'paper-fg', most: 240 })
  drawPosterText(pen, looks, { words: due.value, x: right, y: 838, size: 52, weight: 600, color: 'paper-fg', mono: true, align: 'right', most: 300 })
  drawPosterText(pen, looks, { words: due.note, x: left, y: 879, size: 24, color: 'paper-fg-2', most: right - left })
  drawRule(pen, looks, { y: 906 })
}

/** Draws a text with the only colour that no token has in both themes. */
function drawPosterLine(pen: CanvasRenderingContext2D, looks: PosterStyle, words: PosterText): number {
  const fixed: PosterStyle = { ...looks, color: (name) => (name === 'chart-1-paper' ? '#0f5d4b' : looks.color(name)) }
  return drawPosterText(pen, fixed, words)
}

function drawCode(
  pen: CanvasRenderingContext2D,
  looks: PosterStyle,
  { poster: { scan, or, code }, qr }: { readonly poster: Poster; readonly qr: HTMLCanvasElement },
): void {
  const { left, right } = INSET
  const x = left + QR + 42
  pen.imageSmoothingEnabled = false
  pen.drawImage(qr, left, 941, QR, QR)
  drawPosterText(pen, looks, { words: scan, x, y: 999, size: 36, weight: 700, color: 'paper-fg', most: right - x })
  drawPosterText(pen, looks, { words: or, x, y: 1046, size: 24, color: 'paper-fg-2', most: right - x })
  drawPosterText(pen, looks, { words: code, x, y: 1110, size: 42, weight: 600, color: 'paper-fg', mono: true, most: right - x })
}

/** Poster for sharing, drawn and saved in the browser. */
export function PosterCard({ info }: { readonly info: InvitationInfo }) {
  const t = useTexts(invitationTexts)
  const lang = useLang()
  const canvas = useRef<HTMLCanvasElement>(null)
  const qr = useRef<HTMLCanvasElement>(null)
  const [drawn, setDrawn] = useState(false)
  const poster = usePoster(info)
  useEffect(() => {
    if (!poster || !canvas.current || !qr.current) return
    let live = true
    void drawPoster(canvas.current, qr.current, poster).then(() => {
      if (live) setDrawn(true)
    })
    return () => {
      live = false
    }
  }, [poster])
  const save = () => {
    canvas.current?.toBlob((blob) => {
      if (blob) saveBlob(blob, `${site.brand.toLowerCase()}-${info.inviteCode}.png`)
    }, 'image/png')
  }
  const discount = displayUsd(info.rules.discount)
  const brand = chooseBrand(lang, site)
  return (
    <section aria-label={t('poster')} className="max-w-[340px] min-[1160px]:sticky min-[1160px]:top-20 mobile:mx-auto">
      <canvas
        ref={canvas}
        width={POSTER_WIDTH}
        height={POSTER_HEIGHT}
        role="img"
        aria-label={t('poster_alt', { amount: displayUsd('20'), discount, code: info.inviteCode })}
        data-drawn={drawn}
        className="block h-auto w-full rounded-card bg-ink ring-1 ring-line"
      />
      <QRCodeCanvas ref={qr} value={info.link} size={QR_PIXELS} level="M" marginSize={0} className="hidden" aria-hidden="true" />
      <div className="mt-3 flex gap-2">
        <Button variant="secondary" className="flex-1" disabled={!drawn} onClick={save}>
          <Download size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('poster_save')}
        </Button>
        <CopyButton text={t('share_text', { brand, discount, link: info.link })} size="md" word={t('poster_text')} label={t('poster_copy_text')} />
      </div>
      <p className="mt-2 text-13 text-fg-2">{t('poster_about')}</p>
    </section>
  )
}

/** Three times the drawn size, so that phones save it sharp. */
const QR_PIXELS = 612

function usePoster(info: InvitationInfo): Poster | undefined {
  const t = useTexts(invitationTexts)
  const lang = useLang()
  const { inviteCode, link, rules } = info
  const { data } = useQuery({
    queryKey: ['invitations', 'landing', inviteCode],
    queryFn: ({ signal }) => invitationsApi.landing({ code: inviteCode }, { signal }),
    staleTime: 600_000,
  })
  const feePercent = data?.feePercent
  return useMemo(() => {
    if (feePercent === undefined) return undefined
    const example = buildDiscountExample(rules.discount, feePercent)
    return {
      brand: readsHan(lang) ? `${site.brandZh} ${site.brand}` : site.brand,
      headline: t('poster_headline').split('\n'),
      lines: t('poster_lines').split('\n'),
      slip: t('poster_slip'),
      example: t('poster_example', { amount: displayUsd(example.amount) }),
      rows: [
        { label: t('line_top_up'), value: displayUsd(example.amount) },
        { label: t('line_less'), value: `−${displayUsd(example.discount)}`, accent: true },
        { label: t('line_fee', { percent: example.feePercent }), value: displayUsd(example.fee) },
      ],
      due: { label: t('line_due'), value: displayUsd(example.due), note: t('line_note', { amount: displayUsd(example.amount) }) },
      scan: t('poster_scan'),
      or: t('poster_or'),
      code: inviteCode,
      link: link.replace(/^https?:\/\//, ''),
    }
  }, [feePercent, rules.discount, inviteCode, link, lang, t])
}
