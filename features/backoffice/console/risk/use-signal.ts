import { useLang } from '#platform/web/i18n.ts'
import { serviceDeskTexts } from '../services/texts.ts'
import { createTextLookup } from '#platform/shared/texts.ts'

const signalWords = createTextLookup(serviceDeskTexts, 'signal_')

/** Returns a function that maps a signal to its label; a signal without a label is shown as is. */
export function useSignal(): (name: string) => string {
  const lang = useLang()
  return (name) => signalWords(lang, name) ?? name
}
