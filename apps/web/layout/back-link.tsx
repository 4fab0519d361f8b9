import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { shellTexts } from '../texts.ts'

/** In the logo's place on inner pages of a phone: back to where one came from, or up when one came from outside. */
export function BackLink({ up }: { readonly up: string }) {
  const t = useTexts(shellTexts)
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const word = t('back')
  return (
    <button
      type="button"
      className="icon-btn -ml-3"
      aria-label={word}
      title={word}
      onClick={() => (canGoBack ? router.history.back() : void router.navigate({ to: up }))}
    >
      <ArrowLeft size={20} strokeWidth={1.75} aria-hidden="true" />
    </button>
  )
}
