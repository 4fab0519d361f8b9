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
