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

const count = z.number().int().min(1).max(1_000_000)
const days = z.number().int().min(1).max(3650)
const clockTime = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)

export const widgetProvider = setting('support.widget', z.string().max(40), {
  fallback: 'embedded',
  about: 'Chat widget: embedded, intercom or chatwoot; one without credentials is not used',
})

/** A call declares its action in its contract (`flag`). */
const ACTIONS = {
  recharge: true,
  withdrawal: true,
  createKey: true,
  deleteKey: true,
  modifyKey: true,
  enableChatGPT: true,
  enableClaude: true,
  autoRecharge: true,
  openCard: true,
  revealCard: true,
  oneClickUpgrade: true,
  remoteBrowser: true,
}
export const featureFlags = setting('support.features', z.record(z.string().regex(/^[A-Za-z][\w.-]{0,63}$/), z.boolean()), {
  fallback: ACTIONS as Record<string, boolean>,
  about: 'What customers may do now; false switches an action off, in the pages and in the calls. Actions that are not named are on',
})
export const gradualFeatures = setting('support.gradualFeatures', z.array(z.string().regex(/^[A-Za-z][\w.-]{0,63}$/)).max(200), {
  fallback: [],
  about:
    'Actions that are being released gradually: on for users of the gradual group (account.gradualPercent, account.gradualUsers), off for everybody else. What support.features switches off is off for them too',
})
export const featuresUrl = setting('support.featuresUrl', z.union([z.literal(''), z.url({ protocol: /^https?$/ })]), {
  fallback: '',
  about: 'Address of a YAML file that pages read instead of support.features; its host must allow reading from this site (CORS). Calls go by support.features',
})

export const deskHours = setting('support.hours', z.object({ days: z.array(z.number().int().min(1).max(7)), from: clockTime, to: clockTime }), {
  fallback: { days: [1, 2, 3, 4, 5, 6, 7], from: '10:00', to: '20:00' },
  about: 'When people answer: days (1 Monday to 7 Sunday) and hours in Asia/Shanghai. No days: at no fixed time',
})
export const replyMinutes = setting('support.replyMinutes', z.number().int().min(0).max(10_080), {
  fallback: 120,
  about: 'Minutes in which an answer usually comes in those hours; 0 promises nothing',
})

export const messagesPerMinute = setting('support.messagesPerMinute', count, { fallback: 20, about: 'Messages a minute of one user or visitor' })
export const startsPerHour = setting('support.startsPerHour', count, {
  fallback: 6,
  about: 'Conversations an hour that one user, or one address of visitors, may begin',
})
export const visitorStartsPerHour = setting('support.visitorStartsPerHour', count, {
  fallback: 300,
  about: 'Conversations an hour that visitors may begin in all',
})
export const complaintsPerHour = setting('support.complaintsPerHour', count, { fallback: 5, about: 'Complaints an hour of one user, or one address' })

export const awaySeconds = setting('support.awaySeconds', z.number().int().min(10).max(86_400), {
  fallback: 120,
  about: 'Seconds that an answer stays unseen before it is mailed',
})
export const userMailPauseSeconds = setting('support.userMailPauseSeconds', z.number().int().min(60).max(86_400), {
  fallback: 900,
  about: 'Seconds between two mails about one conversation to its user',
})
export const operatorMailSeconds = setting('support.operatorMailSeconds', z.number().int().min(0).max(3600), {
  fallback: 20,
  about: 'Seconds after a message before the support address gets a mail, so that several become one mail',
})
export const operatorMailPauseSeconds = setting('support.operatorMailPauseSeconds', z.number().int().min(60).max(86_400), {
  fallback: 600,
  about: 'Seconds between two mails about one conversation to the support address',
})

export const keepDays = setting('support.keepDays', days, { fallback: 730, about: 'Days that a user’s conversation is kept after its last change' })
export const keepVisitorDays = setting('support.keepVisitorDays', days, {
  fallback: 180,
  about: 'Days that a visitor’s conversation is kept after its last change',
})
export const keepComplaintDays = setting('support.keepComplaintDays', days, { fallback: 1095, about: 'Days that a complaint is kept' })

export const supportSettings = [
  widgetProvider,
  widgetTimes,
  widgetPlace,
  widgetTexts,
  featureFlags,
  gradualFeatures,
  featuresUrl,
  deskHours,
  replyMinutes,
  messagesPerMinute,
  startsPerHour,
  visitorStartsPerHour,
  complaintsPerHour,
  awaySeconds,
  userMailPauseSeconds,
  operatorMailSeconds,
  operatorMailPauseSeconds,
  keepDays,
  keepVisitorDays,
  keepComplaintDays,
]
