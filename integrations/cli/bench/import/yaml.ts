/** The part of the YAML reader that is used, so that bundlers leave out its writer. */
export { load, YAMLException } from 'js-yaml';
