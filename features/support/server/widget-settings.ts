import { z } from 'zod'
import { setting } from '#platform/server/settings.ts'
import { supportServerTexts } from './server-texts.ts'
import { widgetTimings } from '../contract.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'
import { eachLangSchema } from '#platform/shared/contract.ts'

const px = z.number().int().min(0).max(2_147_483_647)
const label = z.string().trim().min(1).max(60)

/** product.md 2.9. */
export const widgetTimes = setting('support.widgetTimes', widgetTimings, {
  fallback: { lookMs: 100, lookForMs: 5_000, bootMs: 1_000, bootForMs: 60_000, shutdownForMs: 10_000, textMs: 200, textTries: 10 },
  about:
    'Milliseconds of a vendor’s chat widget: how often and for how long its elements are looked for, its script’s start is waited for, its end, and how often its texts are tried',
})
export const widgetPlace = setting('support.widgetPlace', z.object({ zIndex: px, right: px, bottom: px, mobileBottom: px, visitorMobileBottom: px }), {
  fallback: { zIndex: 2_147_483_000, right: 20, bottom: 100, mobileBottom: 110, visitorMobileBottom: 160 },
  about: 'Where a vendor’s chat widget stands: its layer, and pixels from the right and from below, on phones of users and of visitors',
})
export const widgetTexts = setting('support.widgetTexts', eachLangSchema(z.object({ launcher: label })), {
  fallback: mapLangs((lang) => ({ launcher: supportServerTexts[lang].widget_launcher })),
  about: 'What the button of a vendor’s chat widget says when it is pointed at or read aloud',
})
