import { Link } from '@tanstack/react-router'
import { useLang } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'
import { BrandMark } from '#ui/brand-mark.tsx'
import { readsHan } from '#platform/shared/languages.ts'

export function BrandLink({ className = '' }: { readonly className?: string }) {
  const lang = useLang()
  return (
    <Link to="/" className={`inline-flex min-h-11 shrink-0 items-center gap-2.5 whitespace-nowrap text-18 font-bold no-underline ${className}`}>
      <BrandMark />
      {readsHan(lang) ? (
        <span>
          {site.brandZh}
          <span className="ml-1.5 font-semibold mobile:hidden tracking-tight opacity-80">{site.brand}</span>
        </span>
      ) : (
        <span className="tracking-tight">{site.brand}</span>
      )}
    </Link>
  )
}
