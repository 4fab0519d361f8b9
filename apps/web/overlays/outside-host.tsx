import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTexts } from '#platform/web/i18n.ts'
import { closeOutside, useOutsideStore, type OutsideRequest } from '#platform/web/state/outside.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { NativeLayer } from '#ui/layers/native-layer.tsx'
import { layerTexts } from '../layer-texts.ts'
import type { InApp } from '#platform/web/state/outside.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'

const APP_TEXT = { alipay: 'app_alipay', wechat: 'app_wechat', qq: 'app_qq', weibo: 'app_weibo', dingtalk: 'app_dingtalk' } as const satisfies Record<
  InApp,
  TextKeyOf<typeof layerTexts>
>

const reasons = { pay: 'outsidePay', google: 'outsideGoogle', download: 'outsideDownload' } as const

/**
 * Explains how to leave an app's built-in browser: an arrow to its menu, two steps, and the link to copy. A native dialog keeps focus
 * inside, also in old web views. The menu icon is dots: each system has its own menu.
 */
export function OutsideHost() {
  const asked = useOutsideStore((state) => state.asked)
  return asked ? <Overlay {...asked} /> : null
}

function Overlay({ reason, app, path }: OutsideRequest) {
  const t = useTexts(layerTexts)
  const ios = /iPhone|iPad|iPod/.test(navigator.userAgent)
  return (
    <NativeLayer labelledBy="outside-title" onClose={closeOutside} className="on-ink outside text-ink-fg">
      <Arrow />
      <div className="mx-auto flex min-h-full max-w-[440px] flex-col px-6 pt-[152px] pb-10">
        <h2 id="outside-title" className="text-28 font-bold">
          {t('outsideTitle')}
        </h2>
        <p className="mt-2 text-16 text-ink-fg-2">{t(reasons[reason], { app: t(APP_TEXT[app]) })}</p>
        <ol className="mt-8 border-t border-dashed border-ink-line">
          <Step n={1}>
            {t('outsideStep1')} <Dots />
          </Step>
          <Step n={2}>{t(ios ? 'outsideStep2Ios' : 'outsideStep2')}</Step>
        </ol>
        <div className="mt-8 flex flex-col gap-3">
          <CopyButton text={location.origin + path} word={t('outsideCopy')} variant="ink" size="lg" className="w-full" />
          <button type="button" className="btn btn-lg btn-ink-ghost" onClick={closeOutside}>
            <X size={18} strokeWidth={1.75} aria-hidden="true" />
            {t('close')}
          </button>
        </div>
        <p className="mt-4 text-14 text-ink-fg-3">{t('outsideAgain')}</p>
      </div>
    </NativeLayer>
  )
}

function Step({ n, children }: { readonly n: number; readonly children: ReactNode }) {
  return (
    <li className="flex items-center gap-3 border-b border-dashed border-ink-line py-4 text-16">
      <span className="num w-6 shrink-0 text-ink-accent">{n}</span>
      <span className="min-w-0">{children}</span>
    </li>
  )
}

function Dots() {
  return (
    <svg viewBox="0 0 28 20" className="ml-1 inline-block h-5 w-7 align-[-4px]" role="presentation">
      <rect x="0.5" y="0.5" width="27" height="19" rx="5" fill="none" stroke="currentColor" />
      <circle cx="8" cy="10" r="1.6" fill="currentColor" />
      <circle cx="14" cy="10" r="1.6" fill="currentColor" />
      <circle cx="20" cy="10" r="1.6" fill="currentColor" />
    </svg>
  )
}

function Arrow() {
  return (
    <svg viewBox="0 0 150 120" className="absolute top-3 right-4 h-[120px] w-[150px] text-ink-accent" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M12 112C22 62 62 22 136 14" strokeWidth="3" strokeDasharray="2 8" strokeLinecap="round" />
      <path d="M120 4l18 9-14 15" strokeWidth="3" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  )
}
