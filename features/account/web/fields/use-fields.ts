import { useTexts } from '#platform/web/i18n.ts'
import { useFields as useFieldsIn } from '#platform/web/use-fields.ts'
import type { Fields, Rules } from '#platform/web/use-fields.ts'
import { accountTexts } from '../../texts.ts'
import type { TextKey } from './rules.ts'

/** The platform's form, in this feature's words. */
export function useFields<V extends object>(initial: V, rules: Rules<V, TextKey>, onChange?: (values: V) => void): Fields<V> {
  return useFieldsIn(useTexts(accountTexts), initial, rules, onChange)
}
