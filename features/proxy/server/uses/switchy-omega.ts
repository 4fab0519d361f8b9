import type { ProxyAccount } from '../../contract.ts'

/**
 * A settings file as SwitchyOmega 2 exports it and its successors (ZeroOmega) read it: one fixed profile with the credentials, and an
 * automatic one that leaves this network alone. Keys that begin with + are profiles.
 */
export function buildOmegaProfile({
  scheme,
  host,
  port,
  username,
  password,
}: Pick<ProxyAccount, 'scheme' | 'host' | 'port' | 'username' | 'password'>): string {
  const local = ['127.0.0.1', '::1', 'localhost', '10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map((pattern) => ({
    conditionType: 'BypassCondition',
    pattern,
  }))
  return JSON.stringify(
    {
      'schemaVersion': 2,
      '-startupProfileName': 'mingxi',
      '-quickSwitchProfiles': ['direct', 'mingxi'],
      '-enableQuickSwitch': true,
      '-revertProxyChanges': true,
      '+mingxi': {
        name: 'mingxi',
        profileType: 'FixedProfile',
        color: '#16705b',
        fallbackProxy: { scheme, host, port },
        auth: { fallbackProxy: { username, password } },
        bypassList: local,
      },
    },
    null,
    2,
  )
}
