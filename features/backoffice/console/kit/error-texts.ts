import type { Texts } from '#platform/shared/texts.ts'
import { backofficeTexts } from '../../texts.ts'

/** Texts of the back office's errors. */
export const errorTexts: Texts = backofficeTexts
