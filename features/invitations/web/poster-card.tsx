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
import { drawPoster, POSTER_HEIGHT, POSTER_WIDTH } from './draw-poster.ts'
import type { Poster } from './draw-poster.ts'
import { buildDiscountExample } from './example.ts'
import { invitationsApi } from './invitations-api.ts'

/** The picture that people send to friends, drawn here and saved from here. */
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
  const brand = lang === 'zh' ? site.brandZh : site.brand
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

/** Three times what it is drawn at: phones save it sharp. */
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
      brand: lang === 'zh' ? `${site.brandZh} ${site.brand}` : site.brand,
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
