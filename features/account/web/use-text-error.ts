import { useTexts } from '#platform/web/i18n.ts'
import { accountTexts } from '../texts.ts'

type Key = keyof typeof accountTexts.zh

/** A schema's message is a text key; it is translated where it is drawn. */
export function useFieldError(): (error: { message?: string } | undefined) => string | undefined {
  const t = useTexts(accountTexts)
  return (error) => (error?.message ? t(error.message as Key) : undefined)
}
