import { joinTexts } from '#platform/shared/map-langs.ts'
import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/layers.en.json' with { type: 'json' }
import zh from './messages/layers.zh.json' with { type: 'json' }
import { shellTexts } from './texts.ts'

/**
 * Texts of lazily loaded parts (palette, notices, overlays), with the frame's own: in a separate file, so that the first load does not
 * include them.
 */
export const layerTexts = joinTexts(shellTexts, defineTexts({ zh, en }))
