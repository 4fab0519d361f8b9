import { useTexts } from '#platform/web/i18n.ts'
import { useFields as useFieldsIn } from '#platform/web/use-fields.ts'
import type { Fields, FieldRules } from '#platform/web/use-fields.ts'
import { accountTexts } from '../../texts.ts'
import type { AccountTextKey } from './rules.ts'

/** The platform's form hook with the texts of this feature. */
export function useAccountFields<V extends object>(initial: V, rules: FieldRules<V, AccountTextKey>, onChange?: (values: V) => void): Fields<V> {
  return useFieldsIn(useTexts(accountTexts), initial, { rules, onChange })
}
