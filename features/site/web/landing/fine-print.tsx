import { useSearch } from '@tanstack/react-router'
import { useOnceHydrated } from '#platform/web/hydrated.ts'
import { useSignedIn } from '#platform/web/state/session.ts'
import { useTexts } from '#platform/web/i18n.ts'
import type { SiteInfo } from '../../contract.ts'
import { firstTexts } from '../../first-texts.ts'

/** The limits of the offer in one line; with an invite code in the address, a note that it will be used. The line's height is fixed. */
export function FinePrint({ info }: { readonly info: SiteInfo | undefined }) {
  const t = useTexts(firstTexts)
  const search = useSearch({ strict: false }) as Readonly<Record<string, string | undefined>>
  const signedIn = useSignedIn()
  const code = useOnceHydrated(signedIn ? undefined : search['code'])
  return (
    <p className="mt-6 min-h-5 text-13 text-ink-fg-3">
      {code ? (
        <span className="text-ink-accent">{t('hero_invited', { code: code.slice(0, 40) })}</span>
      ) : info ? (
        t('hero_fine', { min: info.minRecharge, percent: info.feePercent })
      ) : null}
    </p>
  )
}
