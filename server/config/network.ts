import ipaddr from 'ipaddr.js';

/** Whether a text is an address or a network, such as 192.0.2.0/24. */
export function isNetwork(text: string): boolean {
  return ipaddr.isValidCIDR(text) || ipaddr.isValid(text);
}
