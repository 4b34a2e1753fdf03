import { type AnyNode, type Expression, type Program, type Property, parse, parseExpressionAt } from 'acorn';
import type { DataPath } from './yaml.ts';

/** A literal value in JavaScript. Nothing is ever run: what would have to be evaluated is left out. */
export interface Literal {
  /** The literal parts; all others are missing from it. */
  value: unknown;
  /** Offset of a value, or of its nearest parent that has one. */
  offset(path: DataPath): number;
  /** Offsets of the parts that are not literals. */
  leftOut: number[];
}

/** A module's constants, which its values may refer to. */
type Names = ReadonlyMap<string, Expression>;

/** The value of an expression in the middle of a text; undefined when there is none or it is not JavaScript. */
export function literalAt(source: string, index: number): Literal | undefined {
  try {
    return literalOf(parseExpressionAt(source, index, { ecmaVersion: 'latest' }), new Map());
  } catch {
    // Not JavaScript, or nested too deeply to have been written by a person.
    return undefined;
  }
}

/**
 * A module's default export, by `export default` or `module.exports =`.
 * @returns undefined when it exports nothing
 * @throws SyntaxError with `pos` when it is not JavaScript
 */
export function exportedLiteral(source: string): Literal | undefined {
  const { body } = parse(source, { ecmaVersion: 'latest', sourceType: 'module', allowHashBang: true });
  const exported = body.map((statement) => exportOf(statement, source)).findLast((found) => found !== undefined);
  return exported && literalOf(exported, new Map(body.flatMap(constants)));
}

type Statement = Program['body'][number];

function constants(statement: Statement): [string, Expression][] {
  if (statement.type !== 'VariableDeclaration') return [];
  return statement.declarations.flatMap(({ id, init }) => (id.type === 'Identifier' && init ? [[id.name, init]] : []));
}

function exportOf(statement: Statement, source: string): Expression | undefined {
  if (statement.type === 'ExportDefaultDeclaration')
    return isExpression(statement.declaration) ? statement.declaration : undefined;
  if (statement.type !== 'ExpressionStatement' || statement.expression.type !== 'AssignmentExpression')
    return undefined;
  const { left, right } = statement.expression;
  return /^module\.exports(?:\.default)?$/.test(source.slice(left.start, left.end)) ? right : undefined;
}

function isExpression(node: AnyNode): node is Expression {
  return node.type !== 'FunctionDeclaration' && node.type !== 'ClassDeclaration';
}

// Stands for what is not a literal; distinct from every literal value.
const nothing = Symbol('not written out');

interface Reading {
  names: Names;
  /** Names that are being read: one that refers to itself has no value. */
  open: Set<string>;
  offsets: Map<string, number>;
  leftOut: number[];
}

function literalOf(root: Expression, names: Names): Literal {
  const reading: Reading = { names, open: new Set(), offsets: new Map(), leftOut: [] };
  const value = read(root, [], reading);
  return {
    value: value === nothing ? undefined : value,
    leftOut: reading.leftOut,
    offset(path) {
      for (let length = path.length; length > 0; length -= 1) {
        const found = reading.offsets.get(keyOf(path.slice(0, length)));
        if (found !== undefined) return found;
      }
      return root.start;
    },
  };
}

function keyOf(path: DataPath): string {
  return path.map(String).join('\n');
}

function read(node: Expression, path: DataPath, reading: Reading): unknown {
  reading.offsets.set(keyOf(path), node.start);
  switch (node.type) {
    case 'Literal':
      return node.regex || node.bigint ? leaveOut(node, reading) : node.value;
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? node.quasis[0]?.value.cooked : leaveOut(node, reading);
    case 'ParenthesizedExpression':
      return read(node.expression, path, reading);
    case 'ArrayExpression':
      return readArray(node.elements, path, reading);
    case 'ObjectExpression':
      return readObject(node.properties, path, reading);
    case 'Identifier':
      return readName(node, path, reading);
    default:
      return leaveOut(node, reading);
  }
}

function leaveOut(node: AnyNode, reading: Reading): typeof nothing {
  reading.leftOut.push(node.start);
  return nothing;
}

function readName(node: Extract<Expression, { type: 'Identifier' }>, path: DataPath, reading: Reading): unknown {
  const named = reading.names.get(node.name);
  if (!named || reading.open.has(node.name)) return leaveOut(node, reading);
  reading.open.add(node.name);
  const value = read(named, path, reading);
  reading.open.delete(node.name);
  return value;
}

type Elements = Extract<Expression, { type: 'ArrayExpression' }>['elements'];

function readArray(elements: Elements, path: DataPath, reading: Reading): unknown[] {
  const values: unknown[] = [];
  for (const element of elements) {
    if (element?.type === 'SpreadElement') {
      const spread = read(element.argument, [...path, values.length], reading);
      if (Array.isArray(spread)) values.push(...spread);
    } else if (element) {
      const value = read(element, [...path, values.length], reading);
      if (value !== nothing) values.push(value);
    }
  }
  return values;
}

type Properties = Extract<Expression, { type: 'ObjectExpression' }>['properties'];

function readObject(properties: Properties, path: DataPath, reading: Reading): Record<string, unknown> {
  const entries: [string, unknown][] = [];
  for (const property of properties) {
    if (property.type === 'SpreadElement') {
      const spread = read(property.argument, path, reading);
      if (typeof spread === 'object' && spread !== null) entries.push(...Object.entries(spread));
      continue;
    }
    const name = nameOf(property);
    const value = name === undefined ? leaveOut(property, reading) : read(property.value, [...path, name], reading);
    if (name !== undefined && value !== nothing) entries.push([name, value]);
  }
  return Object.fromEntries(entries);
}

function nameOf({ key, computed, kind, method }: Property): string | undefined {
  if (computed || method || kind !== 'init') return undefined;
  if (key.type === 'Identifier') return key.name;
  return key.type === 'Literal' ? String(key.value) : undefined;
}
