import { Link } from '@tanstack/react-router'
import { useLang } from '#platform/web/i18n.ts'
import { site } from '#platform/web/site.ts'

/** A till receipt with two lines: jade and ochre. */
export function BrandMark({ className = 'h-6 w-[21px]' }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 21 24" className={className} aria-hidden="true">
      <path d="M1 1h19v22q-1.600-2.400-3.170 0t-3.170 0t-3.160 0t-3.170 0t-3.170 0t-3.160 0z" fill="currentColor" />
      <path d="M5 7h6M5 12h6" className="brand-lines" strokeWidth="1.800" strokeLinecap="round" />
      <circle cx="15.500" cy="7" r="1.500" fill="#279479" />
      <circle cx="15.500" cy="12" r="1.500" fill="#be8628" />
    </svg>
  )
}

export function BrandLink({ className = '' }: { readonly className?: string }) {
  const lang = useLang()
  return (
    <Link to="/" className={`inline-flex min-h-11 shrink-0 items-center gap-2.5 whitespace-nowrap text-18 font-bold no-underline ${className}`}>
      <BrandMark />
      {lang === 'zh' ? (
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
