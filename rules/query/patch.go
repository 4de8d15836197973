package query

import (
	"reflect"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/file"
)

// The functions that the patcher calls. No query needs to name them.
const (
	fnTick    = "__tick"
	fnAdd     = "__add"
	fnEqual   = "__equal"
	fnIn      = "__in"
	fnMatches = "__matches"
)

// patcher replaces what the language does without a limit by guarded twins.
type patcher struct{}

// groupCost is what one element of a group costs, in bytes: groupBy is the one
// loop whose memory the language does not count.
const groupCost = 96

// Visit implements ast.Visitor. It is called for children first.
func (p *patcher) Visit(node *ast.Node) {
	switch n := (*node).(type) {
	case *ast.BuiltinNode:
		for _, arg := range n.Arguments {
			if predicate, ok := arg.(*ast.PredicateNode); ok {
				addTick(predicate, n.Name == "groupBy")
			}
		}
	case *ast.BinaryNode:
		p.operator(node, n)
	}
}

// operator replaces an operator whose cost depends on what it is given.
func (p *patcher) operator(node *ast.Node, n *ast.BinaryNode) {
	switch n.Operator {
	case "+":
		if !isNumber(n.Left) && !isNumber(n.Right) {
			ast.Patch(node, call(fnAdd, n.Location(), n.Left, n.Right))
		}
	case "==", "!=":
		if isScalar(n.Left) || isScalar(n.Right) {
			return
		}
		equal := ast.Node(call(fnEqual, n.Location(), n.Left, n.Right))
		if n.Operator == "!=" {
			equal = &ast.UnaryNode{Operator: "not", Node: equal}
		}
		ast.Patch(node, equal)
	case "in":
		ast.Patch(node, call(fnIn, n.Location(), n.Left, constantList(n.Right)))
	case "matches":
		ast.Patch(node, call(fnMatches, n.Location(), n.Left, n.Right))
	}
}

// addTick makes every run of a predicate count.
func addTick(predicate *ast.PredicateNode, grouping bool) {
	loc := predicate.Node.Location()
	var args []ast.Node
	if grouping {
		args = append(args, &ast.IntegerNode{Value: groupCost})
	}
	sequence := &ast.SequenceNode{Nodes: []ast.Node{call(fnTick, loc, args...), predicate.Node}}
	sequence.SetLocation(loc)
	predicate.Node = sequence
}

// call returns a call of one of the package's functions.
func call(name string, loc file.Location, args ...ast.Node) *ast.CallNode {
	callee := &ast.IdentifierNode{Value: name}
	callee.SetLocation(loc)
	n := &ast.CallNode{Callee: callee, Arguments: args}
	n.SetLocation(loc)
	return n
}

// constantList turns a list literal of constants into one value, so that it is
// not built anew for every row.
func constantList(node ast.Node) ast.Node {
	list, ok := node.(*ast.ArrayNode)
	if !ok {
		return node
	}
	values := make([]any, len(list.Nodes))
	for i, n := range list.Nodes {
		switch n := n.(type) {
		case *ast.StringNode:
			values[i] = n.Value
		case *ast.IntegerNode:
			values[i] = n.Value
		case *ast.FloatNode:
			values[i] = n.Value
		case *ast.BoolNode:
			values[i] = n.Value
		default:
			return node
		}
	}
	constant := &ast.ConstantNode{Value: values}
	constant.SetLocation(node.Location())
	return constant
}

// isScalar reports whether a node is known to give a text, a number, a truth
// value or nil.
func isScalar(n ast.Node) bool {
	if _, ok := n.(*ast.NilNode); ok {
		return true
	}
	if n.Type() == nil {
		return false
	}
	kind := n.Type().Kind()
	return kind == reflect.Bool || kind == reflect.String || isNumber(n)
}

// isNumber reports whether a node is known to give a number.
func isNumber(n ast.Node) bool {
	if n.Type() == nil {
		return false
	}
	kind := n.Type().Kind()
	return kind >= reflect.Int && kind <= reflect.Float64
}
