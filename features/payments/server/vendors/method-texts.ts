import type { Lang } from '#platform/shared/languages.ts'
import type { TextKeyOf } from '#platform/shared/texts.ts'
import { paymentMailTexts } from '../mail-texts.ts'
import { mapLangs } from '#platform/shared/map-langs.ts'

/** A text of a channel's manifest in each language. */
export const buildMethodTexts = (key: TextKeyOf<typeof paymentMailTexts>): Readonly<Record<Lang, string>> => mapLangs((lang) => paymentMailTexts[lang][key])

export const NO_TEXT: Readonly<Record<Lang, string>> = mapLangs(() => '')
