import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/layers/dialog.tsx'
import { noticeTexts } from '../texts-notice.ts'

const STEPS = [
  ['union_1', 'union_1_about', <Choose key="1" />],
  ['union_2', 'union_2_about', <Page key="2" />],
  ['union_3', 'union_3_about', <Code key="3" />],
  ['union_4', 'union_4_about', <Back key="4" />],
] as const

/** Explains payment with UnionPay step by step. */
export function UnionGuide({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const t = useTexts(noticeTexts)
  const footer = (
    <>
      <a href="/help/unionpay" target="_blank" rel="noopener" className="link self-center text-14">
        {t('union_more')}
      </a>
      <Button onClick={onClose}>{t('union_close')}</Button>
    </>
  )
  return (
    <Dialog open={open} onClose={onClose} title={t('union_title')} size="md" footer={footer}>
      <ol className="grid gap-4 pb-4 desktop:grid-cols-2">
        {STEPS.map(([title, about, picture], at) => (
          <li key={title} className="grid grid-cols-1 content-start gap-2 mobile:grid-cols-[112px_minmax(0,1fr)] mobile:gap-x-4">
            {picture}
            <div>
              <p className="text-14 font-semibold">
                <span className="num text-fg-3">{at + 1}</span> {t(title)}
              </p>
              <p className="mt-0.5 text-13 text-fg-2">{t(about)}</p>
            </div>
          </li>
        ))}
      </ol>
      <p className="border-t border-line pt-3 pb-4 text-13 text-fg-3">{t('union_limit')}</p>
    </Dialog>
  )
}

/** A small drawing of a screen; its strokes use the page's colours, so that it fits both themes. */
function Picture({ children }: { readonly children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 224 120"
      className="w-full rounded-card border border-line bg-sunken text-fg-3"
      fill="none"
      strokeWidth="2"
      strokeLinecap="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  )
}

const SURFACE = 'fill-surface stroke-line'
const BRAND = 'stroke-brand'

function Choose() {
  return (
    <Picture>
      <rect x="34" y="18" width="72" height="36" rx="6" className={SURFACE} />
      <rect x="118" y="18" width="72" height="36" rx="6" className="fill-brand-soft stroke-brand" />
      <rect x="34" y="66" width="72" height="36" rx="6" className={SURFACE} />
      <rect x="118" y="66" width="72" height="36" rx="6" className={SURFACE} />
      <path d="M130 29h20v14h-20zM130 34h20" className={BRAND} />
      <path d="M160 36h20M46 36h40M46 84h40M130 84h40" stroke="currentColor" />
      <path d="m176 46 12 10-6 1 3 7-3 1-3-7-4 4z" className="fill-fg stroke-surface" strokeWidth="1" />
    </Picture>
  )
}

function Page() {
  return (
    <Picture>
      <rect x="22" y="16" width="128" height="88" rx="6" className={SURFACE} />
      <path d="M22 32h128" className="stroke-line" />
      <circle cx="31" cy="24" r="2" className="fill-fg-3" />
      <circle cx="39" cy="24" r="2" className="fill-fg-3" />
      <rect x="40" y="44" width="92" height="48" rx="4" className="fill-brand-soft stroke-brand" />
      <path d="M52 58h40M52 68h64M52 78h28" stroke="currentColor" />
      <rect x="168" y="22" width="38" height="76" rx="7" className={SURFACE} />
      <rect x="174" y="32" width="26" height="54" rx="2" className="fill-brand-soft stroke-brand" />
      <path d="M184 92h6" stroke="currentColor" />
    </Picture>
  )
}

function Code() {
  return (
    <Picture>
      <rect x="40" y="16" width="144" height="26" rx="5" className={SURFACE} />
      <path d="M52 29h22M82 29h22M112 29h22M142 29h22" stroke="currentColor" strokeDasharray="3 4" />
      {[40, 65, 90, 115, 140, 165].map((x, at) => (
        <rect key={x} x={x} y="54" width="19" height="24" rx="4" className={at < 4 ? 'fill-brand-soft stroke-brand' : SURFACE} />
      ))}
      <path d="M48 66h3M73 66h3M98 66h3M123 66h3" className={BRAND} />
      <rect x="72" y="88" width="80" height="18" rx="5" className="fill-brand stroke-brand" />
    </Picture>
  )
}

function Back() {
  return (
    <Picture>
      <rect x="62" y="14" width="100" height="92" rx="6" className={SURFACE} />
      <circle cx="112" cy="46" r="16" className="fill-brand-soft stroke-brand" />
      <path d="m105 46 5 5 9-10" className={BRAND} />
      <path d="M80 76h64M80 88h40" stroke="currentColor" />
    </Picture>
  )
}
