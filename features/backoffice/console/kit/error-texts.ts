import type { Texts } from '#platform/shared/texts.ts'
import { backofficeTexts } from '../../texts.ts'

/** What the back office refuses with. */
export const errorTexts: Texts = backofficeTexts
