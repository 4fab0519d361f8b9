import { ExternalLink } from 'lucide-react'
import { useTexts, useLang } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { getButtonClass } from '#ui/button.tsx'
import { NativeLayer } from '#ui/layers/native-layer.tsx'
import { layerTexts } from '../layer-texts.ts'
import { chooseBrand } from '#platform/shared/languages.ts'

/** Replaces the page inside a foreign frame, where users cannot verify the origin and clicks can be hijacked: offers only the way out. */
export function FrameWarning() {
  const t = useTexts(layerTexts)
  const brand = chooseBrand(useLang(), site)
  return (
    <NativeLayer labelledBy="frame-title" onClose={() => undefined} className="bg-bg text-fg">
      <div className="mx-auto flex min-h-full max-w-md flex-col items-start justify-center px-6 py-10">
        <h2 id="frame-title" className="text-20 font-bold">
          {t('frameTitle')}
        </h2>
        <p className="mt-2 text-14 text-fg-2">{t('frameBody', { brand })}</p>
        <a href={location.href} target="_blank" rel="noopener" className={getButtonClass('primary', 'lg', 'mt-6 !whitespace-normal')}>
          <ExternalLink size={16} strokeWidth={1.75} aria-hidden="true" />
          {t('frameOpen', { host: location.host })}
        </a>
      </div>
    </NativeLayer>
  )
}
