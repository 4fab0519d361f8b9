/** Site settings from the operator (brand, company, support address); the server embeds them in the page as JSON. */
export interface Site {
  readonly brand: string
  readonly brandZh: string
  readonly company: string
  readonly supportEmail: string
  readonly stage: 'production' | 'qa' | 'development'
  /** Base URL of this site and its model API, without a trailing slash. */
  readonly origin: string
  /** Effective dates of terms, privacy policy and agreement, if the operator set them (YYYY-MM-DD). */
  readonly termsUpdated?: string
  readonly privacyUpdated?: string
  readonly protocolUpdated?: string
  /** Origins of the production site and of its domain for mainland China; outside production only. */
  readonly productionUrl?: string
  readonly chinaUrl?: string
}

const fallback: Site = {
  brand: 'Mingxi',
  brandZh: '明细',
  company: 'Mingxi (Hong Kong) Limited',
  supportEmail: 'support@mingxi.example',
  stage: 'development',
  origin: typeof location === 'undefined' ? '' : location.origin,
}

/** `<script type="application/json" id="site">` needs no exception in the content security policy. */
function readSite(): Partial<Site> {
  try {
    return JSON.parse(document.getElementById('site')?.textContent || '{}') as Partial<Site>
  } catch {
    return {}
  }
}

/**
 * Site facts for prerendering, read from `globalThis.__SITE__`, which the prerenderer sets before each page: the address is unknown when this module
 * loads.
 */
function createPrerenderedSite(): Site {
  return new Proxy(fallback, { get: (_, name) => ({ ...fallback, ...(globalThis as { __SITE__?: Partial<Site> }).__SITE__ })[name as keyof Site] })
}

export const site: Site = typeof document === 'undefined' ? createPrerenderedSite() : { ...fallback, ...readSite() }
