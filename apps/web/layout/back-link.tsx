import { useCanGoBack, useRouter } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import { useTexts } from '#platform/web/i18n.ts'
import { shellTexts } from '../texts.ts'

/** Replaces the logo on a phone's inner pages: back to the previous page, or up for visitors from another site. */
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
