import type { ReactNode } from 'react'
import { useTexts, useLang } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { BrandMark } from '#ui/brand-mark.tsx'
import { AppearanceSwitches } from '../kit/appearance-switches.tsx'
import { kitTexts } from '../kit/texts.ts'
import { chooseBrand } from '#platform/shared/languages.ts'
import { CopyButton } from '#ui/copy-button.tsx'
import { accessTexts } from './texts.ts'

export function CodeList({ codes }: { readonly codes: readonly string[] }) {
  const t = useTexts(accessTexts)
  return (
    <div className="rounded-control bg-sunken p-3">
      <ul className="num grid grid-cols-2 gap-x-4 gap-y-1 text-14">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <CopyButton text={codes.join('\n')} label={t('copyCodes')} className="mt-3" />
    </div>
  )
}

/** Layout of the sign-in pages: brand and one card, without any hint of the app behind it. */
export function DoorFrame({ title, about, children }: { readonly title: string; readonly about?: ReactNode; readonly children: ReactNode }) {
  const t = useTexts(kitTexts)
  const lang = useLang()
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-12 items-center justify-between px-5">
        <p className="flex items-center gap-2 text-14 font-bold">
          <BrandMark className="h-5 w-[18px]" />
          {chooseBrand(lang, site)}
          <span className="font-normal text-fg-3">{t('appName')}</span>
        </p>
        <AppearanceSwitches />
      </header>
      <main id="main" tabIndex={-1} className="flex flex-1 items-start justify-center px-4 pt-[9vh] pb-12">
        <div className="card w-full max-w-[400px] p-7 mobile:p-5">
          <h1 className="text-20 font-bold">{title}</h1>
          {about ? <div className="mt-1 text-13 text-fg-2">{about}</div> : null}
          <div className="mt-5">{children}</div>
        </div>
      </main>
    </div>
  )
}
