// Prints the JSON Schemas that `tartaglia schema` prints one by one, by name: those that the package for npm holds. For the project's own Node.
import { publishedSchemas, schemaDocument } from '../main/services/schemas/json-schemas.ts'

console.log(JSON.stringify(Object.fromEntries(publishedSchemas.map((each) => [each.name, schemaDocument(each)]))))
