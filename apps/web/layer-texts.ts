import { defineTexts } from '#platform/shared/texts.ts'
import en from './messages/layers.en.json' with { type: 'json' }
import zh from './messages/layers.zh.json' with { type: 'json' }
import { shellTexts } from './texts.ts'

/** Texts of what is loaded later (palette, notices, overlays), with the frame's own: apart, so that no first load carries them. */
export const layerTexts = defineTexts({ ...shellTexts.zh, ...zh }, { ...shellTexts.en, ...en })
