import { useTexts } from '#platform/web/i18n.ts'
import { API_TARGETS, apiTarget, chooseApi, getTargetUrls } from '#platform/web/state/api-target.ts'
import { Segmented } from '#ui/fields/segmented.tsx'
import { layerTexts } from '../layer-texts.ts'

const OWN = 'own'
const TARGET_TEXT = { production: 'devApiProduction', china: 'devApiChina' } as const

/** Selects the site whose API this tab calls: its own, or another one, through this server. A session of one is never sent to another. */
export function ApiChoice() {
  const t = useTexts(layerTexts)
  const urls = getTargetUrls()
  const targets = API_TARGETS.filter((target) => urls[target] !== undefined)
  return (
    <section className="grid gap-1">
      <h3 className="text-13 text-fg-2">{t('devApi')}</h3>
      {targets.length ? (
        <Segmented
          label={t('devApi')}
          value={apiTarget ?? OWN}
          onChange={(target) => chooseApi(target === OWN ? undefined : target)}
          className="justify-self-start"
          items={[{ value: OWN, label: t('devApiOwn') }, ...targets.map((value) => ({ value, label: t(TARGET_TEXT[value]) }))]}
        />
      ) : (
        <p className="text-13 text-fg-3">{t('devApiNone')}</p>
      )}
      {apiTarget ? <p className="text-13 text-danger">{t('devApiThere', { host: new URL(urls[apiTarget]!).host })}</p> : null}
    </section>
  )
}
